import { command } from "../../app/command.ts";
import { anyText, option, optionalPositional } from "../../cli/line/input.ts";
import { refuseOwnFile } from "../../app/output-guard.ts";
import type { Session } from "../../app/session.ts";
import type { Verifier } from "../../app/webhooks/files.ts";
import { examineBody, examineFiles, fileName, nothingToVerify, readBody } from "../../app/webhooks/files.ts";
import { webhookKeyFlags, webhookKeys } from "../../app/webhooks/keys.ts";
import type { Report } from "../../report/report.ts";
import { parseDuration } from "../../values/time/duration.ts";
import { Failure } from "../../values/failure.ts";
import { jsonVisible } from "../../values/text/text.ts";
import {
  invalidWebhook,
  payloadReport,
  verificationReport,
  withoutId,
} from "../../webhooks/verify/verification-report.ts";

/** The longest tolerance that makes sense: somewhat more than a year. */
const toleranceMaxMs = 400 * 86_400_000;

export default command({
  summary: "Verify webhooks' signatures, and print the payload of one that is valid.",
  description:
    "A FILE holds the body of a request as it came, byte for byte; - is stdin. Of one file the payload is printed as it was signed, and nothing when it is not valid. Of several each is a row with its verdict: valid, bad signature, bad body, too old. It needs no service, just the key of the profile, of PARTNER_WEBHOOK_KEY or of --key-file.",
  examples: [
    "webhook verify body.json",
    "webhook verify - --key-file webhook.key --tolerance 5m",
    "webhook verify received/*.json --output csv",
  ],
  args: {
    file: optionalPositional({ summary: "The body of a webhook; - or nothing for stdin.", read: anyText }),
  },
  flags: {
    ...webhookKeyFlags,
    tolerance: option({
      value: "5m",
      summary: "How long ago it may have been signed (default: any time).",
      read: (text, name) => parseDuration(text, name, "5m", toleranceMaxMs),
    }),
  },
  rest: "[FILE...]",
  exits: ["setup", "mismatch"],
  async run({ args: { file }, flags, rest }, session) {
    for (const path of [file ?? "-", ...rest])
      await refuseOwnFile("--save", session.result.save, { path, is: "the webhook itself" }, session);
    const keys = await webhookKeys(session, flags.keyFile).catch(badKey);
    const nowMs = session.host.clock.now();
    const tolerance = flags.tolerance === undefined ? undefined : { maxMs: flags.tolerance, nowMs };
    const verifier = { keys, tolerance };
    if (file === undefined || rest.length === 0) return verifyOne(file, session, verifier);
    return verificationReport(examineFiles([file, ...rest], session, verifier));
  },
});

async function verifyOne(named: string | undefined, session: Session, verifier: Verifier): Promise<Report> {
  const { host, format, result } = session;
  if (named === undefined && host.stdin.isTerminal) throw nothingToVerify();
  const body = await readBody(named ?? "-", session);
  if (named === undefined && body?.length === 0) throw nothingToVerify();
  const examined = examineBody(body, verifier);
  if (examined.verdict !== "valid") throw invalidWebhook(fileName(named ?? "-"), examined);
  if (examined.transactionId === undefined) await session.note(withoutId);
  if (format !== "table") return payloadReport(examined, format);
  const { payloadText } = examined;
  const isForEyes = host.stdout.isTerminal && result.save === undefined;
  return { shape: "text", text: `${isForEyes ? jsonVisible(payloadText) : payloadText}\n` };
}

/** An invalid key is a finding of this command; a missing one is still a setup failure. */
function badKey(error: unknown): never {
  if (!(error instanceof Failure) || error.reason !== "bad key") throw error;
  throw new Failure("mismatch", `bad key: ${error.message}`, { hint: error.hint, reason: "bad key", cause: error });
}
