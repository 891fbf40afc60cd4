import { missing } from "../../cli/line/usage-errors.ts";
import { Failure } from "../../values/failure.ts";
import { resolvePeriod } from "../../values/time/period.ts";
import { resultFields } from "../../statements/reconcile/result/result-row.ts";
import { rowFilter } from "../where.ts";
import { notedPeriod } from "../period.ts";
import type { Session } from "../session.ts";
import { refuseIdle } from "./book-form.ts";
import { reconcileAccount } from "./compare.ts";
import type { Flags } from "./flags.ts";
import { filesOf, readInputs } from "./inputs.ts";
import { sayReconciled } from "./outputs.ts";

/**
 * Reconciles one account, or every wallet.
 * @throws {Failure} usage | setup | refused | unavailable | mismatch
 */
export async function runReconcile(session: Session, flags: Flags): Promise<void> {
  const { endDate } = resolvePeriod(flags, session.today());
  refuseIdle(flags, "compare with the journal");
  if (flags.where !== undefined && session.result.file !== undefined)
    throw new Failure("usage", `--where cannot be used with ${session.result.file}: such a file holds every row.`, {
      hint: "Leave --where out, or use --output csv.",
    });
  if (flags.all) {
    if (flags.account !== undefined)
      throw new Failure("usage", "--all is every wallet, and --account names one.", { hint: "Leave one of them out." });
    const { reconcileEveryWallet } = await import("./every-wallet.ts");
    return reconcileEveryWallet(session, flags);
  }
  if (flags.account === undefined) throw missing(["--account"], "reconcile");
  const files = filesOf(flags, session.result.save, flags.account, endDate);
  session.saveAs(files.save);
  const filter = await rowFilter(flags.where, resultFields);
  const period = await notedPeriod(flags, session);
  const inputs = await readInputs(session, flags, flags.account, files);
  await sayReconciled(session, await reconcileAccount(session, flags, period, inputs), files, filter);
}
