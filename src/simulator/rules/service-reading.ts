import type { Endpoint } from "../../contract/endpoint.ts";
import { positiveAmount, positiveInteger, remittanceAmount } from "../../contract/form.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { Day } from "../../values/time/day.ts";
import { wallTime } from "../../values/time/wall-time.ts";

/** The contract's schemas of amounts. */
const amounts: ReadonlySet<unknown> = new Set([positiveAmount, positiveInteger, remittanceAmount]);
const wholeAmounts: ReadonlySet<unknown> = new Set([positiveInteger, remittanceAmount]);
/** No amount of this service is longer; longer text is unchanged, and refused later. */
const amountMaxChars = 40;
const numberForm = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?$/i;
export const isoForm =
  /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,]\d{1,9})?)?(?:([Zz])|([+-])([01]\d|2[0-3]):?([0-5]\d)?)?$/;
export const wallTimeForm = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const dayChars = 10;
const minuteMs = 60_000;

/**
 * A request as the service reads it, which accepts more than its specification: amounts as numeric text (`"5000"`),
 * whole ones with decimals (`5000.00`, `5e3`), and `transactionDate` in ISO 8601. Other values are unchanged.
 */
export function asServiceReads(endpoint: Endpoint, input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  const read = Object.entries(input).map(([name, value]): [string, unknown] => {
    if (isAmount(endpoint, name)) return [name, amountOf(value, wholeAmounts.has(formOf(endpoint, name)))];
    if (name === "transactionDate" && typeof value === "string") return [name, dateOf(value, endpoint)];
    return [name, value];
  });
  return Object.fromEntries(read);
}

/** True for a field that is an amount in the contract. */
export function isAmount(endpoint: Endpoint, name: string): boolean {
  return amounts.has(formOf(endpoint, name));
}

function formOf({ request: { schema } }: Endpoint, name: string): unknown {
  const shape = "shape" in schema ? schema.shape : undefined;
  return typeof shape === "object" && shape !== null && Object.hasOwn(shape, name)
    ? Reflect.get(shape, name)
    : undefined;
}

/** The amount as a number, with its own digits where possible. */
function amountOf(value: unknown, isWhole: boolean): unknown {
  const text = value instanceof Numeral ? value.text : typeof value === "string" ? value.trim() : "";
  if (text.length > amountMaxChars || !numberForm.test(text)) return value;
  const digits = text.replace(/^\+/, "").replace(/^(-?)0+(?=\d)/, "$1");
  const plain = /e/i.test(digits) ? Decimal.parseJson(digits)?.toString() : digits;
  if (plain === undefined) return value;
  return new Numeral(isWhole ? plain.replace(/\.0+$/, "") : plain);
}

/** Spec 4.5: a collection has a time on the service's clock; spec 4.10: a withdrawal has a day. */
function dateOf(text: string, { path }: Endpoint): string {
  const time = localTime(text) ?? text;
  return path === "/transaction/withdraw" && wallTimeForm.test(time) ? time.slice(0, dayChars) : time;
}

/**
 * Converts an ISO 8601 moment to the service's clock; one without a zone is on it already. Undefined for other text.
 */
function localTime(text: string): string | undefined {
  const [, date = "", hours = "", minutes = "", seconds = "00", utc, sign, zoneHours = "0", zoneMinutes = "0"] =
    isoForm.exec(text) ?? [];
  // At the ends of the calendar another zone's day need not exist.
  if (Day.parse(date) === undefined || date < "0002" || date >= "9999") return undefined;
  if (utc === undefined && sign === undefined) return `${date} ${hours}:${minutes}:${seconds}`;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === "-" ? -1 : 1);
  return wallTime(Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`) - offset * minuteMs);
}

/** Names and addresses of private networks: a container's name, a private address. */
const nearHost =
  /^(?:[a-z0-9_-]+|.+\.(?:internal|local|localhost)|10\..+|192\.168\..+|172\.(?:1[6-9]|2\d|3[01])\..+)$/i;

/** True for a callback to http in a private network, as for a simulator in a container. */
export function isNearCallback(value: unknown): value is string {
  if (typeof value !== "string" || !/^http:\/\/[^\s/]\S*$/.test(value) || !URL.canParse(value)) return false;
  return nearHost.test(new URL(value).hostname);
}
