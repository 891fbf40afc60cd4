import { expect, test } from "vitest";
import { run, words } from "../partner.ts";
import { temporaryFolder } from "../memory-host.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";
import { bookFile } from "./month.ts";

const account = "9000112233";

test.each([
  ["in small letters", "Service fee for ref:F1 TXNID:a"],
  ["with a space after the colon", "SERVICE FEE FOR REF: F1 TXNID:a"],
])(
  "a fee whose narration is written %s counts as a fee in the ledger's figures and in the reconciliation",
  async (_, narration) => {
    const service = await serveStatements({
      statements: {
        [account]: [
          credit("1000.00", { tranRefNo: "F1", valueDate: "2026-10-05 10:00:00", balance: "1000.00" }),
          debit("20.00", { tranRefNo: "BANK-77", valueDate: "2026-10-05 10:00:01", balance: "980.00", narration }),
        ],
      },
    });
    const options = {
      environment: {
        ...service.environment,
        PARTNER_CONFIG_DIR: temporaryFolder(),
        PARTNER_STATE_DIR: temporaryFolder(),
      },
      now: Date.UTC(2026, 11, 1, 9),
    };
    const partner = (line: string) => run(words(line), options);
    expect((await partner("ledger sync")).exit).toBe(0);
    const cash = await partner("report cash --month 2026-10 --csv");
    expect(cash.stdout).toContain(`${account},0.00,1000.00,0.00,20.00,980.00,TZS,2\n`);
    const book = bookFile("reference,amount,date\nF1,980.00,2026-10-05\n");
    const { stdout } = await partner(
      `reconcile --account ${account} --book ${book} --month 2026-10 --csv --columns class,reference,note`,
    );
    expect(stdout).toBe("class,reference,note\nnet of fee,F1,fee 20.00\n");
  },
);
