import { violation } from "../../values/violation.ts";
import { retriesMax } from "../../webhooks/send/delivery.ts";
import { parseEdit } from "../../webhooks/send/payload-edit.ts";
import { anyText, option, repeatedOption, toggle, wholeNumber } from "../../cli/line/input.ts";
import { webhookKeyFlags } from "./keys.ts";

/** More than this many is a load test, for which there are other programs. */
const webhooksMaxCount = 100_000;
const copiesMaxCount = 1_000;
const [httpStatusMin, httpStatusMax] = [200, 599];
/** Times as fast as the service. */
const speedMaxTimes = 1_000_000;

/**
 * How much faster than the service: `60x`, or `60`.
 * @throws {Failure} usage
 */
function readSpeed(text: string, name: string): number {
  const speed = Number(/^(\d{1,7})x?$/.exec(text)?.[1]);
  if (speed >= 1 && speed <= speedMaxTimes) return speed;
  throw violation({
    field: name,
    text,
    problem: "isn't a valid speed",
    example: "60x",
    rule: `a whole number up to ${speedMaxTimes}`,
  });
}

/** The flags of `webhook send`. */
export const sendingFlags = {
  ...webhookKeyFlags,
  file: option({
    value: "FILE",
    summary: "Send the payload in FILE, byte for byte, - for stdin (default: a made-up one).",
    read: anyText,
  }),
  set: repeatedOption({
    value: "PATH=VALUE",
    summary: "Change a field of the payload, such as amountCredit=5000; may be repeated.",
    read: parseEdit,
  }),
  times: option({
    value: "N",
    summary: "Send N webhooks, one after the other (default: 1).",
    read: wholeNumber(1, webhooksMaxCount),
  }),
  duplicate: option({
    value: "N",
    summary: "Send each of them N times in all, as the service may.",
    read: wholeNumber(1, copiesMaxCount),
  }),
  expect: option({
    value: "STATUS",
    summary: "End with 0 if every webhook is answered with this status, and with 8 if not.",
    read: wholeNumber(httpStatusMin, httpStatusMax),
  }),
  badSignature: toggle({ summary: "Sign with a wrong key." }),
  reorder: toggle({ summary: "Send them in reverse order: the last one first." }),
  speed: option({
    value: "60x",
    summary: "Shorten the waits between attempts by this factor (default: wait as long as the service does).",
    read: readSpeed,
  }),
  maxRetries: option({
    value: "20",
    summary: "How often a delivery is tried again (default: 20).",
    read: wholeNumber(0, retriesMax),
  }),
} as const;
