import { join } from "node:path";
import type { MovementKind, MovementState } from "../../src/journal/movement.ts";
import { accountScope } from "../../src/journal/account-name.ts";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import { encodeRequest } from "../../src/contract/request.ts";
import { encodeJson } from "../../src/contract/wire.ts";
import { Numeral } from "../../src/values/json.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import type { Changes } from "../commands/remittance.ts";
import { draftFile, remittanceWith } from "../commands/remittance.ts";
import { claimOf, send } from "../journal/orders.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { now } from "../simulated.ts";
import { kinds, objectIn } from "./kinds.ts";
import type { Till } from "./till.ts";
import { openTill, startProcess } from "./till.ts";

/** A till whose profile for the simulator has limits. */
export interface GuardedTill extends Till {
  type(line: string, stdin?: string): Promise<Run>;
  /** Writes an order of that kind and amount in shillings into the journal, as an unfinished run would have left it. */
  put(kind: MovementKind, state: MovementState, amount: number, atMs?: number): Promise<void>;
  /** The balance of the paying wallet. */
  balance(): string;
}

export async function guardedTill(simulator: RunningSimulator, ...limits: readonly string[]): Promise<GuardedTill> {
  const folder = temporaryFolder();
  const till = openTill({}, folder);
  const { baseUrl, accountId, secretKey } = simulator;
  const type = (line: string, stdin = "") => till.run(line, { now, stdin });
  const add = `profile add shop --environment simulator --base-url ${baseUrl} --account-id ${accountId} --secrets-from -`;
  await sure(type(add, JSON.stringify({ secretKey })));
  if (limits.length > 0) await sure(type(`profile set shop ${limits.join(" ")}`));
  const scope = accountScope({ environment: "simulator", baseUrl, accountId });
  return Object.assign(till, {
    type,
    balance: () => simulator.world.wallet("9000112233").balance.toString(),
    put: (kind: MovementKind, state: MovementState, amount: number, atMs = now) =>
      put(folder, scope, { kind, state, amount, atMs }),
  });
}

interface PutOrder {
  readonly kind: MovementKind;
  readonly state: MovementState;
  readonly amount: number;
  readonly atMs: number;
}

async function put(folder: string, scope: string, { kind, state, amount, atMs }: PutOrder): Promise<void> {
  const { machine, seed } = startProcess();
  const journal = await openJournal(memoryHost({ now: atMs, machine, seed }), {
    stateFolder: join(folder, "state"),
    configFolder: folder,
    version: "test",
    use: "write",
    warn: () => undefined,
  });
  try {
    const reference = `${kind}-${state}`;
    const form = kinds.find((each) => each.kind === kind)?.order(reference);
    if (form === undefined) throw new Error(`There is no ${kind}`);
    const field = kind === "remit" ? "receiverAmount" : "amount";
    const request = encodeJson({
      ...objectIn(encodeRequest(form.endpoint, form.input).body ?? "{}"),
      [field]: Numeral.of(amount),
    });
    const claim = claimOf(await journal.open({ scope, kind, reference, request, deadlineMs: 60_000 }));
    if (state === "prepared") return;
    if (state === "unsent") return void (await claim.settle({ state }));
    await send(claim, "request-1");
    if (state !== "sending") await claim.settle({ state });
  } finally {
    await journal.close();
  }
}

export const transfer = (amount: number, reference: string, to = "9000112244", from = "9000112233") =>
  `transfer --from ${from} --to ${to} --amount ${amount} --description x --reference ${reference} --yes`;
export const withdraw = (amount: number, reference: string, account = "9000112233") =>
  `withdraw --account ${account} --amount ${amount} --narration x --reference ${reference} --yes`;
/** A remittance of 250,000 shillings for 100 dollars to a mobile number, with these changes. */
export const remit = (reference: string, changes: Changes = {}) =>
  `remit --from-file ${draftFile(remittanceWith(changes))} --reference ${reference} --yes --again`;

async function sure(run: Promise<Run>): Promise<void> {
  const { exit, stderr } = await run;
  if (exit !== 0) throw new Error(stderr);
}
