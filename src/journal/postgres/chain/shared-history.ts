import type { PostgresRecord, PostgresValue } from "../../../host/databases/postgres.ts";
import type { HistoryLine, HistoryPlace } from "../../history/history.ts";
import { historyLine, historyPageRows, historySql, historyStart } from "../../history/history.ts";
import type { Fact } from "./facts.ts";
import { factIn, hasFactsSql, memberOf } from "./facts.ts";
import { refusePartOfHistory } from "../roles/partial.ts";

type Read = (text: string, values: readonly PostgresValue[]) => Promise<readonly PostgresRecord[]>;

const eventsSql = historySql("partner.", "$1");
const factsSql = `SELECT * FROM partner.facts WHERE number > $1 AND after_event <= $2 ORDER BY number LIMIT ${historyPageRows}`;

/** What a batch is after a step. */
const stateAfter: Readonly<Record<string, string>> = {
  submit: "submitted",
  approve: "approved",
  reject: "rejected",
  withdraw: "withdrawn",
  begin: "running",
  finish: "done",
};

/**
 * Orders and the decisions of people about them, in the order of history. Facts are read after the events that follow
 * them: a fact that is missing by then comes after those events.
 * @throws {Failure} setup for a role that does not see everything
 */
export async function* sharedHistory(read: Read, from: HistoryPlace = historyStart): AsyncGenerator<HistoryLine> {
  await refusePartOfHistory((text) => read(text, []));
  const [found] = await read(hasFactsSql, []);
  const facts = new Facts(found?.["is_there"] === true ? read : async () => [], from.fact);
  let { line } = from;
  for (let after = from.event; ;) {
    const page = await read(eventsSql, [after]);
    for (const [index, record] of page.entries()) {
      const event = historyLine(record, after + index + 1);
      for (const fact of await facts.upTo(event.number - 1, after + page.length)) yield factLine(fact, (line += 1));
      yield { ...event, number: (line += 1) };
    }
    after += page.length;
    if (page.length === historyPageRows) continue;
    for (const fact of await facts.upTo(after, after)) yield factLine(fact, (line += 1));
    return;
  }
}

/** Facts in their order, fetched by the page. */
class Facts {
  readonly #read: Read;
  #waiting: Fact[] = [];
  #count: number;
  /** All facts up to this event were fetched; -1 for none. */
  #fetchedTo = -1;

  /** @param count how many facts were read before */
  constructor(read: Read, count: number) {
    this.#read = read;
    this.#count = count;
  }

  /** Facts up to this event that were not yielded yet. @param last the last event that was read */
  async upTo(event: number, last: number): Promise<readonly Fact[]> {
    const given: Fact[] = [];
    for (;;) {
      const next = this.#waiting.findIndex(({ after }) => after > event);
      given.push(...this.#waiting.splice(0, next === -1 ? this.#waiting.length : next));
      if (this.#waiting.length > 0 || this.#fetchedTo >= last) return given;
      await this.#fetch(last);
    }
  }

  async #fetch(last: number): Promise<void> {
    const page = await this.#read(factsSql, [this.#count, last]);
    this.#waiting = page.map((record, index) => factIn(record, this.#count + index + 1));
    this.#count += page.length;
    if (page.length < historyPageRows) this.#fetchedTo = last;
  }
}

/** A decision as a line of history. */
export function factLine({ step, at, by, batch, body, hash }: Fact, number: number): HistoryLine {
  const who = memberOf(body, "who");
  const note = memberOf(body, "reason");
  return {
    number,
    id: batch,
    scope: memberOf(body, "scope"),
    kind: batch === "" ? "rules" : "batch",
    reference: "",
    request: body,
    hash,
    event: {
      at,
      step,
      from: null,
      to: stateAfter[step] ?? "",
      requestId: null,
      evidence: null,
      note: note === "" ? null : note,
      replaced: step === "redact" ? memberOf(body, "lines") : null,
      who: { user: by, host: memberOf(who, "host"), version: memberOf(who, "version") },
    },
  };
}
