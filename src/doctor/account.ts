import type { Secret } from "../values/secret.ts";
import type { SecretKind } from "../profiles/secrets/secrets.ts";
import { secretKinds, secretWords } from "../profiles/secrets/secrets.ts";
import { namedByFlag } from "../profiles/chosen-profile.ts";
import type { AccountParts } from "../profiles/resolve.ts";
import type { Sourced } from "../profiles/variables.ts";
import type { Check } from "./check.ts";
import { explain, ok, problem, warning } from "./check.ts";

/** The secrets that could be read, and the checks on the way. */
export interface FoundSecrets {
  readonly checks: readonly Check[];
  readonly secrets: { readonly [K in SecretKind]?: Sourced<Secret> | undefined };
}

/** Which profile is used, and where each of its values comes from. */
export function checkValues({ chosen, environment, baseUrl, accountBaseUrl, ...parts }: AccountParts): Check[] {
  const named =
    chosen === undefined ? "none: the environment says everything" : `${chosen.name}, ${choice(chosen.source)}`;
  return [
    ok("profile", named),
    ok("environment", sourced(environment)),
    ok("base URL", sourced(baseUrl)),
    ok("account base URL", sourced(accountBaseUrl)),
    ok("account id", sourced(parts.accountId)),
    ok("callback URL", sourced(parts.callbackUrl)),
  ];
}

/**
 * Looks up every secret, as a command would. Only their sources are shown.
 * @param isShared true where the journal is shared: who submits or approves batches there needs no secret
 */
export async function checkSecrets({ chosen, secrets }: AccountParts, isShared: boolean): Promise<FoundSecrets> {
  const found: { [K in SecretKind]?: Sourced<Secret> } = {};
  const reasons = new Map<SecretKind, string>();
  for (const kind of secretKinds) {
    try {
      const secret = await secrets.find(kind);
      if (secret !== undefined) found[kind] = secret;
    } catch (error) {
      reasons.set(kind, explain(error));
    }
  }
  const isBare = reasons.size === 0 && Object.keys(found).length === 0;
  const checks = secretKinds.map((kind) => {
    const reason = reasons.get(kind);
    if (reason !== undefined) return problem(secretWords[kind], reason);
    const secret = found[kind];
    return secret === undefined
      ? without(kind, { isBare, isShared, isNamed: chosen?.source === namedByFlag })
      : ok(secretWords[kind], `from ${secret.source}`);
  });
  return { checks, secrets: found };
}

/** What decides how a missing secret is reported. */
interface Lack {
  readonly isBare: boolean;
  readonly isShared: boolean;
  readonly isNamed: boolean;
}

/** Few accounts have all three, but one with none can do nothing, and without the key it has no wallets. */
function without(kind: SecretKind, { isBare, isShared, isNamed }: Lack): Check {
  const check = secretWords[kind];
  if (kind !== "secretKey") return ok(check, `none: no ${kind === "accessToken" ? "merchant accounts" : "webhooks"}`);
  const variables = isNamed ? "" : ", or set PARTNER_ACCOUNT_ID and PARTNER_SECRET_KEY";
  const entered = `partner profile set NAME${variables}.`;
  if (!isBare) return warning(check, `none: no wallets. Enter it: ${entered}`);
  const bare = "none, nor any other secret.";
  return isShared
    ? warning(check, `${bare} That is enough to submit and approve batches. To read or send, enter it: ${entered}`)
    : problem(check, `${bare} Enter it: ${entered}`);
}

function choice(source: string): string {
  return source === "current" ? "the current one" : `by ${source}`;
}

function sourced(value: Sourced | undefined): string {
  return value === undefined ? "none" : `${value.value} (${value.source})`;
}
