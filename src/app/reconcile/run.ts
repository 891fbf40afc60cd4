import { missing } from "../../cli/line/usage-errors.ts";
import { Failure } from "../../values/failure.ts";
import type { Period } from "../../values/time/period.ts";
import { resolvePeriod } from "../../values/time/period.ts";
import { combined } from "../../values/violation.ts";
import { resultFields } from "../../statements/reconcile/result/result-row.ts";
import { rowFilter } from "../where.ts";
import { notedPeriod } from "../period.ts";
import type { Session } from "../session.ts";
import type { AccountStatements } from "../statements/account-statements.ts";
import { refuseIdle } from "./book-form.ts";
import { reconcileAccount } from "./compare.ts";
import type { ReconcileFlags } from "./flags.ts";
import { filesOf, readInputs } from "./inputs.ts";
import { sayReconciled } from "./outputs.ts";

/**
 * Reconciles one account, or every wallet.
 * @param given where the rows of the one account come from; default: the service
 * @throws {Failure} usage | setup | refused | unavailable | mismatch
 */
export async function runReconcile(session: Session, flags: ReconcileFlags, given?: AccountStatements): Promise<void> {
  refuseIdle(flags, "compare with the journal");
  if (flags.where !== undefined && session.result.file !== undefined)
    throw new Failure("usage", `--where cannot be used with ${session.result.file}: such a file holds every row.`, {
      hint: "Leave --where out, or use --output csv.",
    });
  if (flags.all) {
    resolvePeriod(flags, session.today());
    if (flags.account !== undefined)
      throw new Failure("usage", "--all means every wallet, but --account names one.", {
        hint: "Leave one of them out.",
      });
    const { reconcileEveryWallet } = await import("./every-wallet.ts");
    return reconcileEveryWallet(session, flags);
  }
  const { account, endDate } = accountAndPeriod(flags, session);
  const files = filesOf(flags, session.result.save, account, endDate);
  session.saveAs(files.save);
  const filter = await rowFilter(flags.where, resultFields);
  const period = await notedPeriod(flags, session);
  const inputs = await readInputs(session, flags, account, files);
  await sayReconciled(session, await reconcileAccount(session, flags, period, inputs, given), files, filter);
}

/** @throws {Failure} usage; names everything that is missing at once */
function accountAndPeriod(flags: ReconcileFlags, session: Session): Period & { readonly account: string } {
  const { account } = flags;
  const lacking = account === undefined ? [missing(["--account"], "reconcile")] : [];
  try {
    const period = resolvePeriod(flags, session.today());
    if (account !== undefined) return { ...period, account };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    lacking.unshift(error);
  }
  throw combined(lacking);
}
