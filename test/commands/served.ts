import { onTestFinished } from "vitest";
import { answer, recorder } from "../contract/recorder.ts";
import type { World } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { run, words } from "../partner.ts";

/** The secrets of these tests, each different from every other text: none may ever be printed. */
export const planted = {
  secretKey: "c2VjcmV0/+planted-key==",
  accessToken: "planted.access-token",
  webhookKey: "cGxhbnRlZC1oYXNoLWtleS0wMTIzNDU2Nzg5",
} as const;

/** The whole environment of a script that reaches both groups at this address. */
export function environmentAt(origin: string): Record<string, string> {
  return {
    PARTNER_BASE_URL: origin,
    PARTNER_ACCOUNT_ID: "vendor-7",
    PARTNER_SECRET_KEY: planted.secretKey,
    PARTNER_ACCESS_TOKEN: planted.accessToken,
    PARTNER_WEBHOOK_KEY: planted.webhookKey,
  };
}

/** The result of a command line, with the requests that the service received. */
export interface Asked extends Awaited<ReturnType<typeof run>> {
  readonly requests: readonly string[];
}

/** Runs a command line against a service that answers with these bytes one after the other, and repeats the last. */
export async function ask(
  line: string | readonly string[],
  answers: string | readonly string[] = [],
  world: World = {},
): Promise<Asked> {
  const service = await recorder(...(typeof answers === "string" ? [answers] : answers));
  onTestFinished(() => service.stop());
  const environment = { ...environmentAt(service.origin), ...world.environment };
  const ended = await run(typeof line === "string" ? words(line) : line, { ...world, environment });
  if (leaksIn(ended).length > 0) throw new Error(`A secret stands in the output of ${String(line)}`);
  return { ...ended, requests: service.requests };
}

/** An answer of 200 with this body. */
export function ok(body: string): string {
  return answer("200 OK", body);
}

/** The planted secrets found in an output, in any encoding that a text can have. */
export function leaksIn({ stdout, stderr }: Pick<Run, "stdout" | "stderr">): string[] {
  const text = stdout + stderr;
  return Object.values(planted).filter((secret) => {
    const slashed = secret.replaceAll("/", String.raw`\/`);
    const forms = [secret, slashed, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
    return forms.some((form) => text.includes(form));
  });
}

/** The last line of stderr as a JSON object. */
export function errorIn({ stderr }: Pick<Run, "stderr">): Record<string, unknown> {
  const last: unknown = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "");
  if (typeof last === "object" && last !== null && "error" in last) return Object(last.error);
  throw new Error(`The last line is no error object: ${stderr}`);
}
