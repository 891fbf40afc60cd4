import type { Probe } from "../client/probe.ts";
import type { Host } from "../host/host.ts";
import { joinUrl, plainUrl } from "../profiles/base-url.ts";
import { configFolder } from "../profiles/folders.ts";
import type { Failure } from "../values/failure.ts";
import { resolveJournal } from "../profiles/journal-address.ts";
import type { AccountParts } from "../profiles/resolve.ts";
import { gatherAccountParts } from "../profiles/resolve.ts";
import { checkSecrets, checkValues } from "./account.ts";
import type { FoundSecrets } from "./account.ts";
import { checkCertificates } from "./certificates.ts";
import type { Check } from "./check.ts";
import { explain, problem, warning } from "./check.ts";
import { checkFolder, checkStateFolder } from "./folder.ts";
import type { OpenJournal } from "./journal.ts";
import { checkJournal } from "./journal.ts";
import { checkConfigFile, checkCredentialsFile } from "./kept-files.ts";
import { checkNode } from "./node-version.ts";
import { checkProxy } from "./proxy.ts";
import { judgeAccountService, judgeClock, judgeService } from "./service.ts";

/** What the examination looks at, and the means for it. */
export interface ExamineOptions {
  readonly host: Host;
  /** The Node versions that the program runs on, as package.json says it. */
  readonly nodeRange: string;
  /** `--profile`. */
  readonly profile: string | undefined;
  /** The path of `--ca-cert`. */
  readonly certificates: string | undefined;
  readonly timeoutMs: number;
  /** @throws {Failure} where the certificates cannot be used */
  readonly openProbe: () => Promise<Probe>;
  readonly openJournal: OpenJournal;
  /** Masks a secret in all output from now on. */
  readonly hide: (secret: string) => void;
}

/**
 * Checks everything that commands need, in the order in which they need it, without changing anything. A check that
 * can't be made is a row as well.
 * @throws {Failure} interrupted
 */
export async function examine(options: ExamineOptions): Promise<Examined> {
  const { host } = options;
  const folders = [
    checkNode(host.machine.nodeVersion, options.nodeRange),
    await checkFolder(host, "config folder", configFolder),
    await checkStateFolder(host),
  ];
  const { checks, refusal } = await checkJournal(options.openJournal);
  return { checks: [...folders, ...checks, ...(await examineAccount(options))], refusal };
}

/** The checks, and why no order may be sent with the journal as it is. */
export interface Examined {
  readonly checks: readonly Check[];
  readonly refusal: Failure | undefined;
}

async function examineAccount(options: ExamineOptions): Promise<readonly Check[]> {
  const { host } = options;
  const checks = [await checkConfigFile(host), await checkCredentialsFile(host)];
  const parts = await gatherAccountParts(host, { profile: options.profile }).catch((error: unknown) => {
    checks.push(problem("profile", explain(error)));
    return undefined;
  });
  const trusted = await checkCertificates(host, options.openProbe, options.certificates);
  if (parts === undefined) return [...checks, trusted.check, warning("service", "not asked: see profile.")];
  // The journal's check has reported an address that cannot be used.
  const journal = await resolveJournal(host, options.profile).catch(() => undefined);
  const found = await checkSecrets(parts, journal !== undefined);
  const urls = [parts.baseUrl.value, parts.accountBaseUrl.value];
  checks.push(...checkValues(parts), ...found.checks, checkProxy(host.environment, urls), trusted.check);
  if (trusted.probe === undefined) return [...checks, warning("service", "not asked: see certificates.")];
  return [...checks, ...(await askService(options, trusted.probe, parts, found))];
}

async function askService(
  { timeoutMs, hide }: ExamineOptions,
  probe: Probe,
  { baseUrl, accountBaseUrl, accountId }: AccountParts,
  { secrets }: FoundSecrets,
): Promise<Check[]> {
  const secretKey = secrets.secretKey?.value.reveal();
  const isProven = secretKey !== undefined && accountId !== undefined;
  const credentials = isProven ? ({ group: "A", accountId: accountId.value, secretKey } as const) : undefined;
  if (secretKey !== undefined) hide(secretKey);
  const checks: Check[] = [];
  const url = joinUrl(baseUrl.value, "/wallet");
  try {
    const answer = await probe(url, { credentials, timeoutMs });
    checks.push(judgeService(url, answer, isProven), judgeClock(answer));
  } catch (error) {
    checks.push(problem("service", explain(error)), warning("clock", "not compared: the service did not answer."));
  }
  const isElsewhere = plainUrl(accountBaseUrl.value) !== plainUrl(baseUrl.value);
  if (secrets.accessToken === undefined || !isElsewhere) return checks;
  try {
    const answer = await probe(accountBaseUrl.value, { timeoutMs });
    return [...checks, judgeAccountService(accountBaseUrl.value, answer)];
  } catch (error) {
    return [...checks, problem("account service", explain(error))];
  }
}
