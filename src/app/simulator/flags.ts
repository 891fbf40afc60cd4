import type { FlagValues } from "../../cli/line/input.ts";
import { anyText, oneOf, option, repeatedOption, wholeNumber } from "../../cli/line/input.ts";
import { readWebhookUrl } from "../webhooks/url.ts";

const portMax = 65_535;
const seedNumberMax = 2 ** 31;

/** What both of the simulator's commands take. */
export const simulatorFlags = {
  port: option({
    value: "PORT",
    summary: "The port on 127.0.0.1; 0, or none, takes a free one.",
    read: wholeNumber(0, portMax),
  }),
  environment: option({
    value: "live|sandbox",
    summary: "Which service it plays (default: live); the sandbox has no remittances.",
    read: oneOf("live", "sandbox"),
  }),
  seed: option({
    value: "demo|empty|FILE",
    summary: "Where it begins: demo, a busy month (default), nothing, or a JSON file.",
    read: anyText,
  }),
  seedNumber: option({
    value: "N",
    summary: "What chance begins from: the same number leads to the same outcomes.",
    read: wholeNumber(0, seedNumberMax),
  }),
  state: option({ value: "FILE", summary: "Keep balances and rows in FILE between runs.", read: anyText }),
  webhookUrl: option({
    value: "URL",
    summary: "Deliver a signed transaction.created for every row of a merchant account.",
    read: readWebhookUrl,
  }),
  clock: option({
    value: "ISO",
    summary: "The start of its clock, such as 2026-10-31T08:00:00+03:00 (default: now).",
    read: anyText,
  }),
  fault: repeatedOption({
    value: "NAME[=VALUE]",
    summary: "Make something go wrong; may be repeated. The names: partner help faults",
    read: anyText,
  }),
} as const;

/** The options under the names that the simulator has for them, but for the faults, which it reads itself. */
export function simulatorOptions({ state, fault: _fault, ...flags }: FlagValues<typeof simulatorFlags>) {
  return { ...flags, stateFile: state };
}
