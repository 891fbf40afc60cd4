import { once } from "node:events";
import { processHost } from "../../src/host/process/process-host.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openSharedJournal } from "../../src/journal/postgres/open.ts";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import { readPostgresUrl } from "../../src/values/addresses/postgres-url.ts";

// Puts down, sends and settles so many orders, some at a time, when it is told to begin. The place is a folder, or
// the address of a shared journal.
const [place = "", folder = "", count = "0", together = "1"] = process.argv.slice(2);
const journal = await openPlace();
process.stdout.write("ready\n");
await once(process.stdin, "data");
let next = 0;
await Promise.all(
  Array.from({ length: Number(together) }, async () => {
    while (next < Number(count)) await order(`R${process.pid}-${(next += 1)}`);
  }),
);
process.stdout.write("done\n");
await journal.close();
process.exit();

function openPlace(): Promise<Journal> {
  const parts = { configFolder: folder, version: "bench", use: "write", warn: () => undefined } as const;
  const url = readPostgresUrl(place);
  return typeof url === "string"
    ? openJournal(processHost(), { ...parts, stateFolder: place })
    : openSharedJournal(processHost(), { ...parts, url, certificates: undefined });
}

/** Each of another amount: of two that are alike one waits for the other, as it should. */
async function order(reference: string): Promise<void> {
  const request = `{"fromAccountNo":"9000112233","toAccountNo":"9000112244","amount":${process.pid * 1000 + next},"narration":"${reference}"}`;
  const opening = await journal.open({ scope: "bench", kind: "transfer", reference, request, deadlineMs: 60_000 });
  if (opening.outcome !== "claimed") throw new Error("An order was there before");
  await opening.claim.beforeDialling("bench");
  opening.claim.beforeFirstByte("bench");
  await opening.claim.settle({ state: "accepted", response: `{"statusCode":"PAYMENT_ACCEPTED"}` });
}
