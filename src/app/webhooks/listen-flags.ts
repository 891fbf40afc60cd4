import { parseAccountNumber } from "../../values/account-number.ts";
import type { ListenOptions } from "../../host/server/listener.ts";
import { fileFailureOf } from "../../host/files/file-reason.ts";
import { parseDuration } from "../../values/time/duration.ts";
import { Failure } from "../../values/failure.ts";
import { parseListenAddress } from "../../values/addresses/listen-address.ts";
import { violation } from "../../values/violation.ts";
import { healthPath, metricsPath } from "../../webhooks/listen/handler.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { anyText, option, repeatedOption, wholeNumber } from "../../cli/line/input.ts";
import { programWords } from "../../cli/program-words.ts";
import type { Session } from "../session.ts";
import { webhookKeyFlags } from "./keys.ts";
import { readWebhookUrl } from "./url.ts";

const pemMaxBytes = 1024 * 1024;
const maxAgeMaxMs = 36_500 * 86_400_000;
/** The service repeats a webhook for a day; an hour more for clocks that differ. */
export const defaultMaxAgeMs = 25 * 3_600_000;
const eventsMaxCount = 1_000_000_000;

/** An address to forward events to, for `listen` and `replay`. */
export const forwardFlag = option({
  value: "URL",
  summary: "POST each event there, body as received; 2xx accepts it, anything else is tried again.",
  group: "delivery",
  read: readWebhookUrl,
});

/** Flags of a receiver of webhooks. */
export const webhookListenFlags = {
  listen: option({
    value: "HOST:PORT",
    summary: "Where to listen (default: 127.0.0.1:0, any free port).",
    read: parseListenAddress,
  }),
  path: option({ value: "/PATH", summary: "Where webhooks are taken (default: /webhook).", read: parsePath }),
  tlsCert: option({ value: "FILE", summary: "Serve HTTPS with this certificate and chain (PEM).", read: anyText }),
  tlsKey: option({ value: "FILE", summary: "The certificate's key (PEM).", read: anyText }),
  readyFile: option({ value: "FILE", summary: "Write the ready line to FILE, too.", read: anyText }),
  ...webhookKeyFlags,
  count: option({ value: "N", summary: "End after N events.", group: "end", read: wholeNumber(1, eventsMaxCount) }),
  for: option({
    value: "10m",
    summary: "End after this time.",
    group: "end",
    read: (text, name) => parseDuration(text, name, "10m"),
  }),
  event: repeatedOption({
    value: "NAME",
    summary: "Show and deliver only this kind of event; may be repeated. All are stored.",
    group: "filter",
    read: anyText,
  }),
  account: repeatedOption({
    value: "ACCOUNT",
    summary: "Show and deliver only events of this account; may be repeated. All are stored.",
    group: "filter",
    read: parseAccountNumber,
  }),
  maxAge: option({
    value: "25h",
    summary: "Quarantine an event that is older and was never seen (default: 25h).",
    group: "filter",
    read: (text, name) => parseDuration(text, name, "25h", maxAgeMaxMs),
  }),
  forwardTo: forwardFlag,
  exec: option({
    value: '"CMD"',
    summary: "Run CMD for each event, without a shell, with the payload on its stdin; exit 0 accepts it.",
    group: "delivery",
    read: programWords('"./book-payment.sh --verbose"'),
  }),
} as const;

export type WebhookListenFlags = FlagValues<typeof webhookListenFlags>;

/**
 * The certificate and its key; undefined where plain HTTP is served.
 * @throws {Failure} usage
 */
export async function readTls(
  { tlsCert, tlsKey }: WebhookListenFlags,
  session: Session,
): Promise<ListenOptions["tls"]> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Failure("usage", "--tls-cert and --tls-key only go together.", { hint: "Give both, or none." });
  const [certificate, key] = await Promise.all([
    readPem(tlsCert, "--tls-cert", session),
    readPem(tlsKey, "--tls-key", session),
  ]);
  return { certificate, key };
}

async function readPem(path: string, flag: string, { host }: Session): Promise<string> {
  const hint = `Give the path of a PEM file: ${flag} FILE`;
  const bytes = await host.files.read(path, pemMaxBytes).catch((cause: unknown) => {
    throw new Failure("usage", `The file of ${flag} cannot be read: ${fileFailureOf(cause)}.`, { hint, cause });
  });
  // Node reads an empty certificate as none, and every TLS connection would fail.
  if (bytes.length === 0) throw new Failure("usage", `The file of ${flag} is empty.`, { hint });
  return new TextDecoder().decode(bytes);
}

/** @throws {Failure} usage */
function parsePath(text: string, field: string): string {
  if (/^\/[\w\-./~%!$&'()*+,;=:@]*$/.test(text) && text !== healthPath && text !== metricsPath) return text;
  const problems: Readonly<Record<string, string>> = {
    [healthPath]: "is where the receiver answers health checks",
    [metricsPath]: "is where the receiver serves its figures",
  };
  const problem = problems[text] ?? "isn't a valid path";
  throw violation({ field, text, problem, example: "/webhook" });
}
