import type { FlagValues } from "../../cli/line/input.ts";
import { anyText, oneOf, option, repeatedOption, toggle, wholeNumber } from "../../cli/line/input.ts";
import { parseListenAddress } from "../../values/addresses/listen-address.ts";
import { violation } from "../../values/violation.ts";
import type { Session } from "../session.ts";
import type { SimulatorOptions } from "../../simulator/simulator.ts";
import { logTo } from "../../simulator/activity.ts";
import { Failure } from "../../values/failure.ts";
import { readFaults } from "../../simulator/faults.ts";
import { readWebhookUrl } from "../webhooks/url.ts";

const portMax = 65_535;
const seedNumberMax = 2 ** 31;

/** The flags of both commands that start a simulator. */
export const simulatorFlags = {
  port: option({
    value: "PORT",
    summary: "The port on 127.0.0.1 (default: any free one).",
    read: wholeNumber(0, portMax),
  }),
  listen: option({
    value: "HOST:PORT",
    summary: "Where it takes requests, such as 0.0.0.0:4010 in a container.",
    read: parseListenAddress,
  }),
  path: option({
    value: "/PATH",
    summary: "What the addresses of group A begin with (default: /partner/v1).",
    read: parseBasePath,
  }),
  environment: option({
    value: "live|sandbox",
    summary: "Which service it plays (default: live); the sandbox has no remittances.",
    read: oneOf("live", "sandbox"),
  }),
  seed: option({
    value: "demo|empty|FILE",
    summary: "What it begins with: demo (a busy month, the default), empty, or a JSON file.",
    read: anyText,
  }),
  seedNumber: option({
    value: "N",
    summary: "The seed of random choices: the same number gives the same outcomes.",
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
  extensions: toggle({ summary: "Also serve payouts and other endpoints that the specification lacks." }),
  fault: repeatedOption({
    value: "NAME[=VALUE]",
    summary: "Make something go wrong; may be repeated. The names: partner help faults",
    read: anyText,
  }),
} as const;

/**
 * `/tembo/v1`; a slash at its end is ignored, and a slash alone means none.
 * @throws {Failure} usage
 */
function parseBasePath(text: string, field: string): string {
  if (/^(?:\/[\w.~-]+)*\/?$/.test(text) && text !== "" && !/\/\.{1,2}(?:\/|$)/.test(text))
    return text.replace(/\/$/, "");
  throw violation({ field, text, problem: "isn't a valid path", example: "/partner/v1" });
}

/**
 * The options under the names that the simulator has for them. Certificates of `--ca-cert` apply to its deliveries.
 * @throws {Failure} usage
 */
export async function simulatorOptions(
  { state, fault, ...flags }: FlagValues<typeof simulatorFlags>,
  session: Session,
): Promise<SimulatorOptions> {
  if (flags.listen !== undefined && flags.port !== undefined) {
    throw new Failure("usage", "--listen and --port contradict each other.", { hint: "Keep one of them." });
  }
  const post = await session.openPost();
  const log = session.result.quiet ? undefined : logTo(session.host.stderr);
  return { ...flags, stateFile: state, faults: readFaults(fault), openPost: async () => post, log };
}
