import { Failure } from "../values/failure.ts";
import { parseAccountNumber } from "../values/account-number.ts";
import { nicknameProblem } from "../values/nickname.ts";
import type { ChosenProfile } from "./chosen-profile.ts";
import type { Profile } from "./profile.ts";

const lead = "account.";

/** Account numbers by their nicknames. */
export type Nicknames = ReadonlyMap<string, string>;

/** True for a key such as `account.main`. */
export function isNicknameKey(key: string): boolean {
  return key.startsWith(lead);
}

/** What is wrong with `account.NAME=NUMBER`, in words that follow the key; an empty number removes the name. */
export function nicknameViolation(key: string, number: unknown): string | undefined {
  const problem = nicknameProblem(key.slice(lead.length));
  if (problem !== undefined) return problem;
  return number === "" ? undefined : numberProblem(number);
}

/**
 * The nicknames of a profile, sorted by name.
 * @throws {Failure} setup for an invalid one, edited by hand
 */
export function nicknamesOf(chosen: Pick<ChosenProfile, "name" | "profile"> | undefined): Nicknames {
  const entries = Object.entries(chosen?.profile ?? {}).filter(([key]) => isNicknameKey(key));
  return new Map(
    entries
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, number]) => {
        const problem = number === "" ? "has no account number" : nicknameViolation(key, number);
        if (problem === undefined && typeof number === "string") return [key.slice(lead.length), number];
        throw new Failure("setup", `The ${key} of profile ${chosen?.name} ${problem}.`, {
          hint: `Correct it: partner profile set ${chosen?.name} ${key}=NUMBER`,
        });
      }),
  );
}

/** The nicknames of a profile, as its keys and values, with these changes. */
export function changedNicknames(old: Profile, wished: ReadonlyMap<string, string>): Record<string, unknown> {
  const kept = Object.entries(old).filter(([key]) => isNicknameKey(key) && !wished.has(key));
  return Object.fromEntries([...kept, ...[...wished].filter(([, number]) => number !== "")]);
}

function numberProblem(number: unknown): string | undefined {
  if (typeof number !== "string") return "must be an account number, as text";
  try {
    parseAccountNumber(number, "");
    return undefined;
  } catch {
    return "must be an account number, without spaces";
  }
}
