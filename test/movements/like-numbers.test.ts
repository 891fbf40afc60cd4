import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { sha256 } from "../../src/journal/requests/request-hash.ts";
import { accept, environmentAt } from "./service.ts";
import { kinds } from "./kinds.ts";
import { saying, teller } from "./teller.ts";
import { openTill } from "./till.ts";

// A mobile number can be written in many ways, and is one receiver.

const remit = kinds[3];
const nothing = saying("500 Internal Server Error", "");
const spellings = ["255712345678", "0712345678", "+255712345678", "00255712345678"];
const pairs = spellings.flatMap((one) =>
  spellings.filter((other) => other !== one).map((other) => [one, other] as const),
);

async function openDesk() {
  const service = await teller({ react: nothing });
  const till = openTill(environmentAt(service.origin));
  const order = (reference: string, receiver: string, more = "") =>
    till.run(`${remit?.line(reference) ?? ""} --receiver-account ${receiver} ${more}`);
  return { service, till, order };
}

test.for(pairs)("a remittance to %s is like one to %s", async ([one, other]) => {
  const { service, order } = await openDesk();
  expect((await order("R-1", one)).exit).toBe(6);
  service.react(accept);
  const stopped = await order("R-2", other);
  expect(stopped).toMatchObject({ exit: 2, stdout: "" });
  expect(stopped.stderr).toContain("A remittance with the same receiver and amount has an unknown outcome: R-1, ");
  expect(service.requests).toHaveLength(1);
});

test("a remittance to another number, or to a bank account that looks like the number, is not like it", async () => {
  const { service, order } = await openDesk();
  await order("R-1", "255712345678");
  service.react(accept);
  expect((await order("R-2", "0712345679")).exit).toBe(0);
  service.react(nothing);
  const bank = "--receiver-channel BANK --institution-code CORUTZTZ";
  expect((await order("B-1", "255712345678", bank)).exit).toBe(6);
  service.react(accept);
  expect((await order("B-2", "0712345678", bank)).exit).toBe(0);
});

test.for(pairs)(
  "a remittance to %s, stored before numbers were normalised, is like one to %s",
  async ([one, other]) => {
    const { service, till, order } = await openDesk();
    expect((await order("R-1", one)).exit).toBe(6);
    // As it was stored then: with the number as typed.
    const key = sha256(JSON.stringify(["remit", till.environment["PARTNER_ACCOUNT_ID"], "TZ-TIGO-B2C", one, "250000"]));
    const database = new DatabaseSync(join(till.stateFolder, "journal.db"));
    expect(database.prepare("UPDATE order_keys SET like_key = ?").run(key).changes).toBe(1);
    database.close();
    service.react(accept);
    const stopped = await order("R-2", other);
    expect(stopped).toMatchObject({ exit: 2, stdout: "" });
    expect(stopped.stderr).toContain("has an unknown outcome: R-1, ");
    expect((await till.run("journal verify")).exit).toBe(0);
  },
);

const transfer = kinds[0];
const wallets = ["9000112244", "90-0011-2244", "09000112244", "９０００１１２２４４"];

test.for(wallets.slice(1))(
  "a transfer to the wallet %s is like one to 9000112244, also when it was stored as typed",
  async (typed) => {
    const { service, till } = await openDesk();
    const to = (reference: string, wallet: string) =>
      till.run(transfer.line(reference).replace("--to 9000112244", `--to ${JSON.stringify(wallet)}`));
    expect((await to("R-1", typed)).exit).toBe(6);
    service.react(accept);
    for (const wallet of wallets) {
      const stopped = await to("R-2", wallet);
      expect(stopped).toMatchObject({ exit: 2, stdout: "" });
      expect(stopped.stderr).toContain("has an unknown outcome: R-1, ");
    }
    // As it was stored before numbers were normalised.
    const key = sha256(JSON.stringify(["transfer", till.environment["PARTNER_ACCOUNT_ID"], "9000112233", typed, "5"]));
    const database = new DatabaseSync(join(till.stateFolder, "journal.db"));
    expect(database.prepare("UPDATE order_keys SET like_key = ?").run(key).changes).toBe(1);
    database.close();
    expect(await to("R-2", typed)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("has an unknown outcome: R-1, "),
    });
    expect((await till.run("journal verify")).exit).toBe(0);
    expect(service.requests).toHaveLength(1);
  },
);
