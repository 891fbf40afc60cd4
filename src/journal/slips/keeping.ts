import type { Host } from "../../host/host.ts";
import { reasonOf } from "../../storage/failures.ts";
import { formatDuration } from "../../values/time/duration.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import { visible } from "../../values/text/text.ts";
import type { Slip } from "./slip.ts";
import type { Warn } from "./entering.ts";
import type { SlipFolder } from "./folder.ts";
import { describeSlip, nameSlip } from "./view.ts";

/** The pause between two attempts to enter an outcome that the journal did not accept. */
const retryMs = 250;
/** After this time, a person gets a note about the wait. */
const sayAfterMs = 2_000;

export interface SlipKeeping {
  readonly host: Pick<Host, "clock" | "stderr" | "signal" | "giveUp">;
  readonly slips: SlipFolder;
  readonly warn: Warn;
}

/** How an outcome gets into the journal, and for how long that is tried. */
export interface Entering<T> {
  /** Why the journal did not accept it, in a sentence. */
  readonly reason: string;
  readonly withinMs: number;
  /**
   * @returns undefined for an order that the journal does not know: it was exchanged for an earlier state of it
   * @throws {Failure} where the journal does not accept it
   */
  readonly enter: () => Promise<T | undefined>;
}

const notKnown = "The journal does not know the order.";

/** Where a slip is, or why it is nowhere. */
type Left = { readonly path: string } | { readonly path: undefined; readonly why: string };

/**
 * Keeps the outcome of an order until the journal has it: on a slip at once, so that it survives this process, and in
 * the journal as soon as possible.
 */
export class SlipKeeper {
  readonly #host: SlipKeeping["host"];
  readonly #slips: SlipFolder;
  readonly #warn: Warn;
  readonly #unkept: Slip[] = [];

  constructor({ host, slips, warn }: SlipKeeping) {
    this.#host = host;
    this.#slips = slips;
    this.#warn = warn;
  }

  /** Outcomes that neither the journal nor a slip has: only this process knows them. */
  get unkept(): readonly Slip[] {
    return this.#unkept;
  }

  /**
   * @returns what `enter` returned; undefined where the journal did not accept the outcome: a person then gets a note
   * @throws whatever `enter` throws that isn't a `Failure`
   */
  async keep<T>(slip: Slip, { reason: first, withinMs, enter }: Entering<T>): Promise<T | undefined> {
    const { clock, signal, giveUp } = this.#host;
    const startedAt = clock.elapsed();
    let left = await this.#leave(slip);
    let reason = first;
    let isSaid = false;
    // A slip on the disk is safe, so a signal ends the wait.
    const isOver = () => giveUp.aborted || (signal.aborted && left.path !== undefined);
    while (clock.elapsed() - startedAt < withinMs && !isOver()) {
      if (!isSaid && clock.elapsed() - startedAt >= sayAfterMs) {
        isSaid = true;
        const until = formatDuration(withinMs);
        await this.#warn(
          `The journal does not take the outcome of the ${nameSlip(slip)}; trying for ${until} at most.`,
        );
      }
      await clock.sleep(retryMs, left.path === undefined ? giveUp : signal).catch(() => undefined);
      if (left.path === undefined) left = await this.#leave(slip);
      try {
        const entered = await enter();
        if (entered !== undefined && left.path !== undefined) await this.#slips.remove(left.path);
        if (entered !== undefined) return entered;
        reason = notKnown;
        if (left.path !== undefined) break;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        reason = error.message;
      }
    }
    await this.#sayOf(slip, left, reason);
    return undefined;
  }

  async #leave(slip: Slip): Promise<Left> {
    try {
      return { path: await this.#slips.leave(slip) };
    } catch (error) {
      return { path: undefined, why: reasonOf(error) ?? "the file system says no" };
    }
  }

  async #sayOf(slip: Slip, left: Left, reason: string): Promise<void> {
    if (left.path !== undefined) {
      const kept =
        reason === notKnown
          ? `The outcome is kept in ${namePath(left.path)}. Read the statements: partner journal recover`
          : `It is kept in ${namePath(left.path)}, and the next run enters it.`;
      await this.#warn(`The journal did not take the outcome of the ${describeSlip(slip)}. ${reason} ${kept}`);
      return;
    }
    this.#unkept.push(slip);
    const lost = `Neither the journal nor a file beside it took the outcome of the ${describeSlip(slip)}.`;
    const todo = `Note it: the journal will say unknown, until partner journal resolve ${slip.movement}`;
    await this.#host.stderr.write(`${visible(`${lost} ${reason} And the file: ${left.why}. ${todo}`)}\n`);
  }
}
