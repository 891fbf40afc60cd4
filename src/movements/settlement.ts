import type { Sent } from "../client/mover.ts";
import type { SuccessForm } from "../contract/answers/verdict.ts";
import { judgeAnswer } from "../contract/answers/verdict.ts";
import type { Settlement } from "../journal/journal.ts";

/** The HTTP status of the answer that a note of {@link settlementOf} speaks of. */
export function notedHttp(note: string | null): number | undefined {
  const [, status] = /^HTTP (\d{3}): /.exec(note ?? "") ?? [];
  return status === undefined ? undefined : Number(status);
}

/** The state that the journal records for the wire's result, with the reason. */
export function settlementOf(sent: Sent, receipt: SuccessForm, input: object): Settlement {
  if (sent.kind === "unsent") return { state: "unsent", note: sent.why };
  if (sent.kind === "lost") return { state: "unknown", note: sent.why };
  if (!sent.isText)
    return {
      state: "unknown",
      note: `HTTP ${sent.http}: the service answered with bytes that aren't UTF-8`,
      response: sent.shown,
    };
  const verdict = judgeAnswer(sent.http, sent.body, receipt, input);
  // Words for people must not contain a secret that the service quotes.
  const { why } = sent.shown === sent.body ? verdict : judgeAnswer(sent.http, sent.shown, receipt, input);
  return {
    state: verdict.outcome,
    note: `HTTP ${sent.http}: the service ${why}`,
    response: sent.shown,
    transactionId: verdict.transactionId,
  };
}
