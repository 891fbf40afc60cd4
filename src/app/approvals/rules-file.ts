import type { ApprovalRules, Level } from "../../approvals/approval-rules.ts";
import { movementKinds } from "../../journal/movement.ts";
import type { Files } from "../../host/files/files.ts";
import { readPlacedFile } from "../../rules/rule-file.ts";
import type { ReportViolation } from "../../rules/rule-members.ts";
import { checkMembers, readAmount, readObject, readText, readWord } from "../../rules/rule-members.ts";
import { isCurrency } from "../../values/money/currency.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { homeCurrency, readLimits, unclearLimits } from "../../values/money/limits.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import { parseDuration } from "../../values/time/duration.ts";
import { deadEnds } from "./rules-dead-ends.ts";

const approvalsMax = 100;
const openMaxBatches = 100_000;
const openMaxBytes = Number.MAX_SAFE_INTEGER;
const expiryMaxMs = 366 * 86_400_000;
const wholeForm = /^[1-9]\d{0,15}$/;
const wording = {
  flag: "approvals set",
  hint: "Correct them; docs/schemas/approvals.json describes the file.",
  left: "no rule was changed",
};

/**
 * The rules of approval in a file.
 * @throws {Failure} usage: a file that cannot be read, and every fault of it with its line and column
 */
export function readApprovalRules(host: { readonly files: Pick<Files, "read"> }, path: string): Promise<ApprovalRules> {
  return readPlacedFile(host, path, wording, rulesIn);
}

/**
 * The rules in a JSON value.
 * @throws {Failure} setup where they are invalid
 */
export function rulesOfText(value: JsonValue): ApprovalRules {
  return rulesIn(value, (path, what) => {
    throw new Failure("setup", `The rules of approval cannot be read: ${path}: ${what}.`, {
      hint: "Have two people set them again: partner approvals set FILE",
      money: "not moved",
    });
  });
}

function rulesIn(value: JsonValue, reportViolation: ReportViolation): ApprovalRules {
  const file = readObject(value, "", reportViolation);
  checkMembers(file, ["$schema", "levels", "newReceiver", "expiry", "limits", "signatures"], "", reportViolation);
  const rules = {
    levels: levelsIn(file["levels"], reportViolation),
    newReceiver: given(file["newReceiver"], (member) => {
      const object = objectWith(member, ["approvals"], "newReceiver", reportViolation);
      return { approvals: countIn(object["approvals"], "newReceiver.approvals", approvalsMax, reportViolation) };
    }),
    expiry: given(file["expiry"], (member) => expiryIn(member, reportViolation)),
    signatures: readWord(file["signatures"], ["required"], "signatures", reportViolation),
    limits: given(file["limits"], (member) => limitsIn(member, reportViolation)),
  };
  for (const [path, words] of deadEnds(rules)) reportViolation(path, words);
  return rules;
}

function levelsIn(value: JsonValue | undefined, reportViolation: ReportViolation): readonly Level[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length > 0)
    return value.map((item, index) => levelIn(item, index, reportViolation));
  reportViolation("levels", "is not a list of levels");
  return undefined;
}

function levelIn(value: JsonValue, index: number, reportViolation: ReportViolation): Level {
  const path = `levels.${index}`;
  const members = ["upTo", "currency", "account", "kind", "largestRow", "approvals", "groups"];
  const level = objectWith(value, members, path, reportViolation);
  const upTo = given(level["upTo"], (member) => amountIn(member, `${path}.upTo`, reportViolation));
  const currency = readText(level["currency"], `${path}.currency`, reportViolation);
  if (currency !== undefined && !isCurrency(currency))
    reportViolation(`${path}.currency`, "is not a currency such as TZS");
  const largestRow = level["largestRow"];
  if (largestRow !== undefined && typeof largestRow !== "boolean")
    reportViolation(`${path}.largestRow`, "is neither true nor false");
  if (largestRow === true && upTo === undefined) reportViolation(`${path}.largestRow`, "says nothing without upTo");
  return {
    upTo,
    currency: currency ?? (upTo === undefined ? undefined : homeCurrency),
    account: readText(level["account"], `${path}.account`, reportViolation),
    kind: readWord(level["kind"], movementKinds, `${path}.kind`, reportViolation),
    largestRow: largestRow === true ? true : undefined,
    approvals: countIn(level["approvals"], `${path}.approvals`, approvalsMax, reportViolation, path),
    groups: given(level["groups"], (member) => groupsIn(member, `${path}.groups`, reportViolation)),
  };
}

function groupsIn(value: JsonValue, path: string, reportViolation: ReportViolation): readonly string[] | undefined {
  const names = Array.isArray(value)
    ? value.map((name, at) => readText(name, `${path}.${at}`, reportViolation) ?? "")
    : [];
  if (names.length > 0 && new Set(names).size === names.length) return names;
  reportViolation(path, "is not a list of roles, each of them once");
  return undefined;
}

function limitsIn(value: JsonValue, reportViolation: ReportViolation): ApprovalRules["limits"] {
  const limits = objectWith(value, ["maker", "checker"], "limits", reportViolation);
  return {
    maker: given(limits["maker"], (member) => {
      const maker = objectWith(member, ["day", "openBatches", "bytes"], "limits.maker", reportViolation);
      const count = (name: string, most: number) =>
        given(maker[name], (one) => countIn(one, `limits.maker.${name}`, most, reportViolation));
      return {
        day: given(maker["day"], (one) => moneyIn(one, "limits.maker.day", reportViolation)),
        openBatches: count("openBatches", openMaxBatches),
        bytes: count("bytes", openMaxBytes),
      };
    }),
    checker: given(limits["checker"], (member) => {
      const checker = objectWith(member, ["decision"], "limits.checker", reportViolation);
      return {
        decision: given(checker["decision"], (one) => moneyIn(one, "limits.checker.decision", reportViolation)),
      };
    }),
  };
}

/** `5000000,USD=500` with each currency named. */
function moneyIn(value: JsonValue, path: string, reportViolation: ReportViolation): string | undefined {
  const limits = readLimits(value instanceof Numeral ? value.text : typeof value === "string" ? value : "");
  const unclear = typeof value === "string" ? unclearLimits(value) : undefined;
  if (typeof limits === "string") reportViolation(path, limits);
  else if (unclear !== undefined) reportViolation(path, unclear);
  else if ([...limits.values()].some(({ isZero }) => isZero))
    reportViolation(path, "is zero, which would stop everything");
  else return [...limits].map(([currency, amount]) => `${currency}=${amount.trimmed()}`).join(",");
  return undefined;
}

function expiryIn(value: JsonValue, reportViolation: ReportViolation): string | undefined {
  try {
    const text = typeof value === "string" ? value : "";
    parseDuration(text, "expiry", "3d", expiryMaxMs);
    return text;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    reportViolation("expiry", 'is not a length of time such as "3d" or "12h"');
    return undefined;
  }
}

function amountIn(value: JsonValue, path: string, reportViolation: ReportViolation): string | undefined {
  const amount = readAmount(value, path, reportViolation);
  if (amount === undefined) return undefined;
  if (amount.compare(Decimal.zero) <= 0) reportViolation(path, "is not more than zero");
  return amount.trimmed();
}

function countIn(
  value: JsonValue | undefined,
  path: string,
  most: number,
  reportViolation: ReportViolation,
  whenMissing = path.slice(0, path.lastIndexOf(".")),
): number {
  const text = value instanceof Numeral && wholeForm.test(value.text) ? value.text : "";
  const count = Number(text);
  if (text !== "" && count <= most) return count;
  const name = path.slice(path.lastIndexOf(".") + 1);
  if (value === undefined) reportViolation(whenMissing, `has no ${name}`);
  else reportViolation(path, `is not a whole number from 1 to ${most}`);
  return 1;
}

function objectWith(
  value: JsonValue,
  members: readonly string[],
  path: string,
  reportViolation: ReportViolation,
): JsonObject {
  const object = readObject(value, path, reportViolation);
  checkMembers(object, members, path, reportViolation);
  return object;
}

function given<T>(value: JsonValue | undefined, read: (value: JsonValue) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}
