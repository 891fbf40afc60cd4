import { readExtensions } from "../values/extension.ts";
import { dateFormats, decimalMarks } from "../values/book-writing.ts";
import { commandWords } from "../values/text/command-words.ts";
import { readWindow } from "../values/time/duration.ts";
import { readLimits, unclearLimits } from "../values/money/limits.ts";
import { statementChecks } from "../values/statement-check.ts";
import { checkUrl } from "./base-url.ts";
import { checkOpenAddress } from "./open-address.ts";
import { environments, secretStores } from "./profile.ts";
import { checkHeaderText } from "./secrets/secrets.ts";

/** The keys of a profile's values, without secrets. */
export const profileKeys = [
  "environment",
  "baseUrl",
  "accountBaseUrl",
  "accountId",
  "callbackUrl",
  "journal",
  "extensions",
  "secretStore",
  "credentialCommand",
  "money.secretStore",
  "money.credentialCommand",
  "limit.transfer",
  "limit.day",
  "allow.to",
  "like.window",
  "check.statement",
  "batch.keep",
  "book.path",
  "book.reference",
  "book.amount",
  "book.date",
  "book.direction",
  "book.dateFormat",
  "book.decimal",
] as const;
export type ProfileKey = (typeof profileKeys)[number];
export type ProfileValues = { readonly [K in ProfileKey]?: string | undefined };

type Check = (text: string) => string | undefined;

const checks: Readonly<Record<ProfileKey, Check>> = {
  environment: oneOf(environments),
  baseUrl: checkUrl,
  accountBaseUrl: checkUrl,
  accountId: checkHeaderText,
  callbackUrl: checkUrl,
  journal: checkOpenAddress,
  extensions: checkExtensions,
  secretStore: oneOf(secretStores),
  credentialCommand: checkCommand,
  "money.secretStore": oneOf(["command"]),
  "money.credentialCommand": checkCommand,
  "limit.transfer": checkLimit,
  "limit.day": checkLimit,
  "allow.to": checkAccounts,
  "like.window": checkWindow,
  "check.statement": oneOf(statementChecks),
  "batch.keep": checkKeep,
  "book.path": checkBookPath,
  "book.reference": checkColumn,
  "book.amount": checkColumn,
  "book.date": checkColumn,
  "book.direction": checkColumn,
  "book.dateFormat": oneOf(dateFormats),
  "book.decimal": oneOf(decimalMarks),
};
const requiredKeys: ReadonlySet<ProfileKey> = new Set(["environment", "baseUrl", "accountId", "secretStore"]);

/**
 * Why the text isn't valid for that key, in words that follow its name; undefined where it is valid. The words never
 * repeat the text: an address may contain a password.
 */
export function checkProfileValue(key: ProfileKey, text: string): string | undefined {
  return checks[key](text);
}

/** Why a newly typed value is ambiguous, in words that follow its name. Stored values are not checked by it. */
function unclear(key: ProfileKey, text: string): string | undefined {
  return checks[key] === checkLimit ? unclearLimits(text) : undefined;
}

/** Everything that is wrong with the values of a profile, by key, in words that follow its name. */
export function checkProfileValues(values: ProfileValues): ReadonlyMap<ProfileKey, string> {
  const problems = new Map<ProfileKey, string>();
  for (const key of profileKeys) {
    const text = values[key];
    const problem = text === undefined ? undefined : (checks[key](text) ?? unclear(key, text));
    if (problem !== undefined) problems.set(key, problem);
    if (text === undefined && requiredKeys.has(key)) problems.set(key, "is missing");
  }
  if (values.secretStore === "command" && values.credentialCommand === undefined) {
    problems.set("credentialCommand", "is missing: the store command asks it for the secrets");
  }
  const [store, line] = [values["money.secretStore"], values["money.credentialCommand"]];
  if (store !== undefined && line === undefined)
    problems.set("money.credentialCommand", "is missing: money.secretStore=command asks it for the secret key");
  if (store === undefined && line !== undefined)
    problems.set("money.secretStore", "is missing: money.credentialCommand goes with money.secretStore=command");
  return problems;
}

/** True for a key of a profile's values. */
export function isProfileKey(text: string): text is ProfileKey {
  return Object.hasOwn(checks, text);
}

function oneOf(choices: readonly string[]): Check {
  return (text) => (choices.includes(text) ? undefined : `must be one of ${choices.join(", ")}`);
}

function checkCommand(text: string): string | undefined {
  const words = commandWords(text);
  if (words === undefined) return "has a quote that is not closed";
  return words.length === 0 || words[0] === "" ? "names no program" : undefined;
}

function checkLimit(text: string): string | undefined {
  const limits = readLimits(text);
  return typeof limits === "string" ? limits : undefined;
}

function checkExtensions(text: string): string | undefined {
  const extensions = readExtensions(text);
  return typeof extensions === "string" ? extensions : undefined;
}

function checkAccounts(text: string): string | undefined {
  return /^[^\s,]+(,[^\s,]+)*$/.test(text)
    ? undefined
    : "must be account numbers or CODE:ACCOUNT, with commas between them and no spaces";
}

function checkWindow(text: string): string | undefined {
  return readWindow(text) === undefined ? "must be a duration such as 24h or 3d, or 0 for none" : undefined;
}

/** The number of days in a text such as `400d`; undefined for any other text. */
export function keepDaysIn(text: string): number | undefined {
  const days = Number(/^(\d{1,5})d$/.exec(text)?.[1]);
  return days >= 1 ? days : undefined;
}

function checkKeep(text: string): string | undefined {
  return keepDaysIn(text) === undefined ? "must be a number of days such as 400d, at least 1d" : undefined;
}

function checkBookPath(text: string): string | undefined {
  return text.includes("{account}") ? undefined : "must have {account} in it, such as books/{account}-{month}.csv";
}

function checkColumn(text: string): string | undefined {
  return text.trim() === "" ? "must be the name of a column" : undefined;
}
