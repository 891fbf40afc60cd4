import { echoMs } from "../../host/process/stop-signals.ts";
import { repeatCheck } from "../../movements/guards/repeats.ts";
import type { Session } from "../session.ts";
import type { CheckFlags } from "./checks/check-flags.ts";
import { noteOtherAccount } from "./other-account.ts";
import { repeatContext } from "./checks/repeat-check.ts";
import { walletCurrencies } from "./wallet-currencies.ts";
import type { WitnessedTools } from "./checks/witness.ts";
import { openWitness } from "./checks/witness.ts";

/** After a signal during an answer, tells a person that a second signal stops the wait. */
export async function sayPatience(session: Session, over: AbortSignal): Promise<void> {
  await session.host.clock.sleep(echoMs, over).catch(() => undefined);
  if (over.aborted) return;
  await session.note("Stopping: waiting for the answer; again to give up (the outcome is then unknown).");
}

/**
 * Everything that `movements` needs to move money: journal, connection and account.
 * @param flags the flags about the second witness
 * @throws {Failure} usage | setup | unavailable
 */
export async function moneyTools(session: Session, flags: CheckFlags = {}): Promise<WitnessedTools> {
  await noteOtherAccount(session);
  const { owner, guards } = await session.account();
  const connection = await session.connection();
  const credentials = await connection.service.credentials("A", "moves money");
  const deadlineMs = session.moneyTimeoutMs;
  const scope = await session.accountScope();
  return {
    host: session.host,
    journal: await session.journal("write", { account: scope }),
    witness: await openWitness(session, flags),
    connection,
    scope,
    profile: owner,
    credentials,
    deadlineMs,
    guards,
    limitDays: () => session.limitDays(),
    currencies: walletCurrencies(session),
    repeatCheck: repeatCheck(await repeatContext(session)),
    serviceClock: session.clockWatch.watch(),
    say: (line) => session.note(line),
    onPatience: (over) => void sayPatience(session, over),
  };
}
