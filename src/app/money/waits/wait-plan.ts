import type { ReadCallback } from "../../../contract/callback.ts";
import { unreachableCallbackUrl } from "../../../contract/callback.ts";
import { statusEndpoints } from "../../../contract/extensions/status.ts";
import { Inquiry } from "../../../evidence/inquiry.ts";
import type { Movement } from "../../../journal/movement.ts";
import { secretAddress } from "../../../movements/waiting/callbacks.ts";
import type { WaitPlan } from "../../../movements/waiting/waiting.ts";
import type { Account } from "../../../profiles/account.ts";
import { Failure } from "../../../values/failure.ts";
import { flagName } from "../../../values/text/flag-name.ts";
import type { ListenAddress } from "../../../values/addresses/listen-address.ts";
import { anyLoopbackPort } from "../../../values/addresses/listen-address.ts";
import { isLoopback } from "../../../values/addresses/loopback.ts";
import type { Session } from "../../session.ts";
import { statementSources, statusSource } from "../checks/statement-sources.ts";
import type { WaitFlags } from "./wait-flags.ts";
import { flagsOfWaiting, waitFlags } from "./wait-flags.ts";

const defaultWaitMs = 3 * 60_000;
/** The placeholder in an address for the secret that is generated when the order is sent. */
const secretToCome = "[secret]";
const tunnelToCome = "https://tunnel.example";

/** Orders whose outcome the service posts to an address. */
export type CalledBack = "collect" | "remit" | "payout";

/** The callback address to send where there is no real one; undefined where the order needs one. */
function withoutAddress(kind: CalledBack, account: Account): string | undefined {
  return kind === "payout" || hasStatusOf(kind, account) ? unreachableCallbackUrl : undefined;
}

/** True where the service has a status request for such orders. */
function hasStatusOf(kind: CalledBack, { extensions }: Account): boolean {
  const extension = statusEndpoints[kind]?.extension?.name;
  return extension !== undefined && extensions.has(extension);
}

/** Where callbacks go, and how to wait for them. */
export interface CallbackOptions {
  /** With `--wait` it is completed when the order is sent. */
  readonly callbackUrl: string;
  /** The same for a person, before the order is sent. */
  readonly callbackWords: string;
  readonly plan: WaitPlan | undefined;
}

/**
 * What the flags and the profile say about the callback, as far as it is known before anything is sent.
 * @throws {Failure} usage | setup
 */
export async function readCallbackOptions(
  flags: Partial<WaitFlags>,
  session: Session,
  readCallback: ReadCallback,
  kind: CalledBack = "collect",
): Promise<CallbackOptions> {
  const account = await session.account();
  const idle = flags.wait === true ? [] : flagsOfWaiting(flags);
  if (idle.length > 0)
    throw new Failure("usage", `Without --wait, ${idle.join(" and ")} would have no effect.`, { hint: "Add --wait." });
  if (flags.wait !== true) {
    const callbackUrl =
      flags.callbackUrl ?? account.callbackUrl ?? withoutAddress(kind, account) ?? noCallbackUrl(account);
    return { callbackUrl, callbackWords: wordsFor(callbackUrl), plan: undefined };
  }
  if (flags.tunnel !== undefined && flags.callbackUrl !== undefined)
    throw new Failure("usage", "--tunnel makes an address, and --callback-url gives another one.", {
      hint: "Keep one of them.",
    });
  const shared = {
    host: session.host,
    forMs: flags.waitFor ?? defaultWaitMs,
    readCallback,
    look: flags.confirmStatement === true ? (movement: Movement) => lookIn(session, movement) : undefined,
    status: hasStatusOf(kind, account) ? await statusSource(session) : undefined,
    say: (line: string) => session.note(line),
    hide: (secret: string) => session.hide(secret),
  };
  if (shared.status !== undefined && cannotReceive(flags, account)) {
    const callbackUrl = flags.callbackUrl ?? account.callbackUrl ?? unreachableCallbackUrl;
    const callbackWords = wordsFor(callbackUrl);
    return {
      callbackUrl,
      callbackWords,
      plan: { ...shared, listen: undefined, address: undefined, tunnel: undefined },
    };
  }
  const listen = flags.listen ?? anyLoopbackPort;
  const address = flags.tunnel === undefined ? (flags.callbackUrl ?? account.callbackUrl) : undefined;
  const base = flags.tunnel === undefined ? (address ?? ownAddress(account, listen)) : tunnelToCome;
  const port = listen.port === 0 ? "a free port" : `port ${listen.port}`;
  return {
    callbackUrl: URL.canParse(base) ? secretAddress(base, secretToCome) : base,
    callbackWords:
      flags.tunnel === undefined && address === undefined
        ? `this machine, ${port}`
        : `${address ?? "the address that the tunnel prints"}, with a secret path added`,
    plan: { ...shared, listen, address, tunnel: flags.tunnel },
  };
}

function wordsFor(callbackUrl: string): string {
  return callbackUrl === unreachableCallbackUrl ? "none; the service is asked for the outcome" : callbackUrl;
}

/** True where no callback can arrive: no known port listens, and the service is on another machine. */
function cannotReceive({ listen, tunnel, callbackUrl }: Partial<WaitFlags>, account: Account): boolean {
  if (listen !== undefined || tunnel !== undefined) return false;
  return (callbackUrl ?? account.callbackUrl) !== undefined || !isLoopback(new URL(account.baseUrl).hostname);
}

/**
 * True where neither flags nor profile give a callback address, or a way for the service to reach this machine.
 * @throws {Failure} setup
 */
export async function lacksAddress(
  flags: Partial<WaitFlags>,
  session: Session,
  kind: CalledBack = "collect",
): Promise<boolean> {
  const account = await session.account();
  if (hasStatusOf(kind, account)) return false;
  if (flags.callbackUrl !== undefined || account.callbackUrl !== undefined) return false;
  if (flags.wait !== true) return flagsOfWaiting(flags).length === 0;
  return flags.tunnel === undefined && !isLoopback(new URL(account.baseUrl).hostname);
}

async function lookIn(session: Session, movement: Movement): Promise<Inquiry> {
  return Inquiry.into([movement], await statementSources(session));
}

/**
 * Violations about callbacks and waiting; none where one of these flags was reported already, since it may be what is
 * missing.
 * @throws {Failure} setup
 */
export async function callbackViolations(
  flags: Partial<WaitFlags>,
  misread: ReadonlySet<string>,
  session: Session,
  kind: CalledBack = "collect",
): Promise<readonly Failure[]> {
  if (Object.keys(waitFlags).some((key) => misread.has(`--${flagName(key)}`))) return [];
  try {
    await readCallbackOptions(flags, session, () => undefined, kind);
    return [];
  } catch (error) {
    if (error instanceof Failure && error.ending === "usage") return [error];
    throw error;
  }
}

/** Our own address, which a service on this machine reaches directly. */
function ownAddress({ baseUrl, name = "NAME" }: Account, { host, port }: ListenAddress): string {
  if (!isLoopback(new URL(baseUrl).hostname))
    throw new Failure(
      "usage",
      "--wait needs an address at which the service can reach this machine; nothing was sent.",
      {
        hint: `Give one: --callback-url URL, --tunnel "CMD {port}", or partner profile set ${name} callbackUrl=URL`,
        money: "not moved",
      },
    );
  const bracketed = host.includes(":") ? `[${host}]` : host;
  if (isLoopback(bracketed)) return `http://${bracketed}:${port}`;
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  throw new Failure("usage", `With a service on this machine, a callback to ${host} needs --callback-url.`, {
    hint: "Leave --listen out, or say how it is reached: --callback-url URL",
    money: "not moved",
  });
}

function noCallbackUrl({ baseUrl, name = "NAME" }: Account): never {
  const wait = isLoopback(new URL(baseUrl).hostname) ? "--wait" : '--wait --tunnel "CMD {port}"';
  throw new Failure("usage", "There is no address at which the service can report the outcome; nothing was sent.", {
    hint: `Give one: --callback-url URL, or partner profile set ${name} callbackUrl=URL. To wait for it here: ${wait}`,
    money: "not moved",
  });
}
