/** How a run ended: each ending has one exit code and one next step. */
export type Ending = keyof typeof endings;

/**
 * The only table of endings. Exit codes, `help exit-codes`, every command's help and the README read it.
 */
export const endings = {
  ok: { exit: 0, next: "carry on" },
  bug: { exit: 1, next: "report it; nothing is known to be wrong with your input" },
  usage: { exit: 2, next: "fix the command line or the input file; nothing was sent" },
  setup: { exit: 3, next: "fix the profile, the credentials or the folders" },
  refused: { exit: 4, next: "read the reason; the service said no and nothing moved" },
  unavailable: { exit: 5, next: "try again later; nothing changed" },
  unknown: { exit: 6, next: "do NOT repeat it; money may have moved: partner journal resolve" },
  pending: { exit: 7, next: "look again later; it was accepted and is not final" },
  incomplete: { exit: 8, next: "run the same batch again; rows are left to do" },
  mismatch: { exit: 9, next: "look into it; a check failed" },
  interrupted: { exit: 130, next: "run it again when you are ready" },
} as const satisfies Record<string, { exit: number; next: string }>;

/** An exit code as shown in help and README. */
export interface ExitCode {
  readonly exit: number;
  readonly ending: string;
  readonly next: string;
}

/** A signal that asks a run to stop. */
export type StopSignal = keyof typeof stopExits;

const termExit = 143;
/** The exit code of a run that a signal ended. A closed terminal (HUP) counts as TERM: no run ends with 129. */
export const stopExits = { SIGINT: endings.interrupted.exit, SIGTERM: termExit, SIGHUP: termExit } as const;
const stopSignals: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
const stopWords: Readonly<Record<StopSignal, string>> = {
  SIGINT: "Interrupted.",
  SIGTERM: "Stopped by a TERM signal.",
  SIGHUP: "Stopped by a HUP signal.",
};

/** Every exit code, in order: one for each ending, and one for an interruption by TERM or HUP. */
export const exitCodes: readonly ExitCode[] = [
  ...Object.entries(endings).map(([ending, { exit, next }]) => ({ exit, ending, next })),
  { exit: termExit, ending: "interrupted", next: "run it again when you are ready; a TERM or HUP signal ended it" },
];

/** What is known about money after a failure. Reads never move any: `none`. */
export type MoneyFate = "none" | "not moved" | "moved" | "unknown";

export interface FailureDetails {
  /** The next step, with the exact command where there is one. */
  hint?: string | undefined;
  money?: MoneyFate | undefined;
  /** The `x-request-id` of the last attempt: support needs it. */
  requestId?: string | undefined;
  /** The HTTP status, if an answer came. */
  http?: number | undefined;
  /** The service's own `reason` word, or the word of our own check. */
  reason?: string | undefined;
  /** Field names with their violations. */
  details?: Readonly<Record<string, string>> | undefined;
  reference?: string | undefined;
  /** The signal that interrupted the run: TERM and HUP have an exit code of their own. */
  signal?: StopSignal | undefined;
  /** True where a person answered no, which isn't an error. */
  isDeclined?: boolean | undefined;
  /** Where this run moved no money, and an order that its message names did, or may have. */
  earlier?: "moved" | "unknown" | undefined;
  /** The single failures, where there are several: people see them one below the other. */
  parts?: readonly Failure[] | undefined;
  cause?: unknown;
}

/**
 * Every failure except a movement's outcome: thrown once, caught once, turned into words and an exit code in one place.
 * The message is one sentence about what happened; the hint says what to do.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly ending: Exclude<Ending, "ok">;
  readonly hint: string | undefined;
  readonly money: MoneyFate;
  readonly requestId: string | undefined;
  readonly http: number | undefined;
  readonly reason: string | undefined;
  readonly details: Readonly<Record<string, string>> | undefined;
  readonly reference: string | undefined;
  readonly signal: StopSignal | undefined;
  readonly isDeclined: boolean;
  readonly earlier: FailureDetails["earlier"];
  readonly parts: readonly Failure[];

  constructor(ending: Exclude<Ending, "ok">, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.ending = ending;
    this.hint = details.hint;
    this.money = details.money ?? "none";
    this.requestId = details.requestId;
    this.http = details.http;
    this.reason = details.reason;
    this.details = details.details;
    this.reference = details.reference;
    this.signal = details.signal;
    this.isDeclined = details.isDeclined ?? false;
    this.earlier = details.earlier;
    this.parts = details.parts ?? [];
  }

  get exit(): number {
    return this.ending === "interrupted" ? stopExits[this.signal ?? "SIGINT"] : endings[this.ending].exit;
  }
}

/** The failure of a run that Ctrl-C, TERM or HUP ended: the signal's reason is its name. */
export function interruption(signal: AbortSignal, details: Omit<FailureDetails, "signal"> = {}): Failure {
  const name = stopSignals.find((known) => known === signal.reason) ?? "SIGINT";
  return new Failure("interrupted", stopWords[name], { ...details, signal: name });
}
