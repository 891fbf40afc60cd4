import type { Connection } from "../client/connection.ts";
import type { AuthGroup, Effect } from "../contract/endpoint.ts";
import type { Transcript } from "../client/logging-transport.ts";
import type { WireSettings } from "../client/network.ts";
import { Network } from "../client/network.ts";
import { defaultRetries } from "../client/limits.ts";
import type { Probe } from "../client/probe.ts";
import { Reader } from "../client/reader.ts";
import type { RunContext } from "../cli/run-context.ts";
import type { Host } from "../host/host.ts";
import type { PlainPost } from "../host/http/plain-post.ts";
import type { Account } from "../profiles/account.ts";
import { joinUrl } from "../profiles/base-url.ts";
import type { Failure } from "../values/failure.ts";
import { formatWait } from "../values/time/duration.ts";
import type { ServiceClock } from "../values/time/service-clock.ts";
import { withoutPersonalData } from "../contract/personal-data.ts";
import { visible } from "../values/text/text.ts";
import { readCertificates, unusableCertificates } from "./certificates.ts";
import type { Credentials } from "../contract/authentication.ts";

/** Network flags. */
export interface LineFlags {
  /** The path of `--ca-cert`. */
  readonly certificates: string | undefined;
  /** True writes a transcript of each request on stderr, without personal data; `full` with it. Secrets never. */
  readonly debug: boolean | "full";
}

type NetworkContext = Pick<RunContext, "host" | "outlet">;

/**
 * The connection to the service of an account.
 * @throws {Failure} usage | setup
 */
export async function openConnection(
  context: NetworkContext & Pick<RunContext, "secrets">,
  flags: LineFlags & { readonly account: Promise<Account> },
): Promise<Connection> {
  const account = await flags.account;
  const service = {
    live: account.environment !== "sandbox",
    extensions: account.extensions,
    profile: account.name,
    address: (group: "A" | "B", target: string) =>
      joinUrl(group === "A" ? account.baseUrl : account.accountBaseUrl, target),
    credentials: (group: AuthGroup, effect: Effect = "reads") => credentialsOf(group, effect, account, context.secrets),
  };
  return withNetwork(context, flags, (network, settings) => network.connect(service, settings));
}

/** How reads over a connection wait, and where they say so. */
export interface ReaderOptions {
  readonly connection: Connection;
  readonly timeoutMs: number;
  /** Default: `defaultRetries`. */
  readonly retries: number | undefined;
  readonly clock: ServiceClock;
  readonly say: (line: string) => Promise<void>;
}

/** Reads over a connection, and says when it waits to try again. */
export function openReader(host: Host, { retries = defaultRetries, clock, say, ...others }: ReaderOptions): Reader {
  const onWait = (waitMs: number, cause: Failure) => void say(`${cause.message} Trying again ${formatWait(waitMs)}.`);
  return new Reader(host, { ...others, retries, serviceClock: clock, onWait });
}

/**
 * A probe for any address.
 * @throws {Failure} usage when the certificates cannot be used
 */
export function openProbe(context: NetworkContext, flags: LineFlags): Promise<Probe> {
  return withNetwork(context, flags, (network, settings) => network.openProbe(settings));
}

/**
 * A post to any address, without credentials.
 * @throws {Failure} usage when the certificates cannot be used
 */
export function openPost(context: NetworkContext, flags: LineFlags): Promise<PlainPost> {
  return withNetwork(context, flags, (network, settings) => network.openPost(settings));
}

async function withNetwork<T>(
  { host, outlet }: NetworkContext,
  { certificates, debug }: LineFlags,
  open: (network: Network, settings: WireSettings) => Promise<T>,
): Promise<T> {
  const extraCertificates = await readCertificates(certificates, host);
  const transcript: Transcript | undefined =
    debug === false
      ? undefined
      : {
          write: (line) => void host.stderr.write(`${visible(line)}\n`),
          mask: debug === "full" ? (text) => text : withoutPersonalData,
        };
  return open(new Network(host, outlet), { extraCertificates, transcript }).catch((cause: unknown) => {
    throw certificates === undefined ? cause : unusableCertificates(certificates, cause);
  });
}

/**
 * A group's credentials, looked up now; from then on they are masked on stderr.
 * @throws {Failure} setup
 */
async function credentialsOf(
  group: AuthGroup,
  effect: Effect,
  account: Account,
  masked: Set<string>,
): Promise<Credentials> {
  if (group === "B") {
    const accessToken = (await account.groupB()).accessToken.reveal();
    masked.add(accessToken);
    return { group, accessToken };
  }
  const { accountId, secretKey } = await account.groupA(effect);
  masked.add(secretKey.reveal());
  return { group, accountId, secretKey: secretKey.reveal() };
}
