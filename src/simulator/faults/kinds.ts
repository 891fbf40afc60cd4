/** What a fault changes: a request and its answer, a callback, the rows of an order, or a statement as it is served. */
export type Hit = "requests" | "callbacks" | "rows" | "statements";

/** The kind of value after a fault's name, as the help shows it. */
export type ValueForm = "TIME" | "BYTES" | "ROWS" | "WORD" | "STATUS" | "HOW";

/** A kind of fault, and the values that it takes. */
export interface FaultKind {
  readonly name: string;
  readonly hits: Hit;
  readonly takes?: ValueForm | undefined;
  /** True where a time may follow the value: `reverse-row=same,2d`. */
  readonly mayWait?: boolean | undefined;
  /** All values that it takes, where there are only a few. */
  readonly choices?: readonly string[] | undefined;
  /** Other values that it takes: text that contains one of the order's names. */
  readonly form?: RegExp | undefined;
  readonly meaning: string;
}

/** The reference of a reversing row contains the order's own reference, the service's id, or the row's reference. */
const rowForm = /\{(?:reference|id|row)\}/;

/** The faults, as help and README list them. Their names are invented; each was seen in the wild. */
export const faultKinds = [
  { name: "reset-request", hits: "requests", meaning: "the connection is reset, nothing is done" },
  { name: "fail-request", hits: "requests", meaning: "answers 500, nothing is done" },
  { name: "refuse-request", hits: "requests", takes: "WORD", meaning: "a 2xx says WORD, nothing is done" },
  { name: "lose-answer", hits: "requests", meaning: "it is done; the connection is reset before the answer" },
  { name: "fail-answer", hits: "requests", meaning: "it is done; answers 500" },
  { name: "swap-answer", hits: "requests", meaning: "it is done; the answer names another reference" },
  { name: "cut-answer", hits: "requests", takes: "BYTES", meaning: "it is done; the answer ends early" },
  { name: "reset-answer", hits: "requests", takes: "BYTES", meaning: "it is done; a reset within the answer" },
  { name: "stall-answer", hits: "requests", takes: "BYTES", meaning: "it is done; the answer stops and never ends" },
  { name: "slow-headers", hits: "requests", takes: "TIME", meaning: "it is done; the answer comes late" },
  { name: "slow-body", hits: "requests", takes: "TIME", meaning: "it is done; a pause in the middle of the answer" },
  {
    name: "interim-answer",
    hits: "requests",
    takes: "STATUS",
    choices: ["100", "102", "103"],
    meaning: "it is done; 100, 102 or 103 comes before the answer",
  },
  { name: "early-callback", hits: "requests", meaning: "it is done; the answer comes after the callback" },
  {
    name: "say-answer",
    hits: "requests",
    takes: "WORD",
    meaning: "it is done; the answer says WORD (A/B: status A, statusCode B)",
  },
  {
    name: "swap-refusal",
    hits: "requests",
    takes: "WORD",
    meaning: "it is done; a 2xx, or 400 for WORD, refuses another reference",
  },
  {
    name: "bare-refusal",
    hits: "requests",
    takes: "WORD",
    meaning: "it is done; a 2xx says WORD and names no reference",
  },
  { name: "deny-answer", hits: "requests", meaning: "it is done; the answer has success:false beside its ids" },
  { name: "error-answer", hits: "requests", meaning: "it is done; the answer has an error beside its ids" },
  {
    name: "repeat-answer",
    hits: "requests",
    takes: "HOW",
    choices: ["plain", "nested", "escaped"],
    meaning: "it is done; a field of the answer is repeated",
  },
  {
    name: "duplicate-answer",
    hits: "requests",
    takes: "HOW",
    choices: ["409", "422", "429", "200", "conflict", "unique", "used", "exists", "array", "code", "map"],
    meaning: "it is done; the answer calls it a duplicate",
  },
  {
    name: "look-alike",
    hits: "requests",
    takes: "HOW",
    choices: ["twin", "mention", "longer", "amount", "side", "mark", "fee", "last-month", "next-year"],
    meaning: "a row appears that is not the order's but looks like it",
  },
  { name: "drop-callback", hits: "callbacks", meaning: "it never comes" },
  { name: "delay-callback", hits: "callbacks", takes: "TIME", meaning: "it comes late" },
  { name: "double-callback", hits: "callbacks", meaning: "it comes twice" },
  {
    name: "reorder-callback",
    hits: "callbacks",
    takes: "TIME",
    meaning: "every other one comes late, behind the next",
  },
  { name: "contradict-callback", hits: "callbacks", meaning: "a second one says the opposite" },
  { name: "say-callback", hits: "callbacks", takes: "WORD", meaning: "it says WORD, whatever was done" },
  {
    name: "reverse-row",
    hits: "rows",
    takes: "HOW",
    choices: ["same", "named", "negative"],
    form: rowForm,
    mayWait: true,
    meaning: "a later row reverses it",
  },
  {
    name: "rebook-row",
    hits: "rows",
    takes: "HOW",
    choices: ["same", "named", "negative"],
    form: rowForm,
    mayWait: true,
    meaning: "a later row reverses it, and it is booked once more",
  },
  { name: "merge-row", hits: "rows", meaning: "it is shown as one with the row before it" },
  { name: "lose-row", hits: "rows", meaning: "no statement shows it" },
  { name: "late-row", hits: "rows", takes: "TIME", meaning: "statements show it late" },
  { name: "double-row", hits: "rows", meaning: "statements show it twice" },
  { name: "wrong-row", hits: "rows", meaning: "statements show one more than its amount" },
  { name: "empty-statement", hits: "statements", meaning: "it has no rows" },
  { name: "short-statement", hits: "statements", takes: "ROWS", meaning: "only this many rows, the first ones" },
  { name: "double-statement", hits: "statements", meaning: "each row comes twice" },
  { name: "wrong-statement", hits: "statements", meaning: "each amount is one more" },
  { name: "reorder-statement", hits: "statements", meaning: "the last row comes first" },
] as const satisfies readonly FaultKind[];

export type FaultName = (typeof faultKinds)[number]["name"];

/** How to write a fault, as help and README list it. */
export const faultForms = [
  ["lose-answer", "all requests that move money, callbacks, rows, or statements"],
  ["lose-answer=transfer", "every request to one endpoint"],
  ["lose-answer=any", "every request"],
  ["double-callback=webhook", "every webhook, and no callback"],
  ["lose-answer=transfer:2", "the second one only; also money:2, any:2"],
  ["cut-answer=120,transfer", "the same, behind a value where the fault takes one"],
  ["reverse-row=same,2d,transfer", "a row that is reversed two days later"],
  ["stall-answer=0,wallet-statement", "a statement that never comes; likewise 0,list-wallets"],
] as const;
