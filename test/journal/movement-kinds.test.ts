import { expect, test } from "vitest";
import { movementForms } from "../../src/journal/requests/movement-kinds.ts";
import {
  amountsIn,
  leavingAmounts,
  payingWallet,
  receiverOf,
  requestOf,
  responseOf,
  requestText,
} from "../../src/journal/requests/movement-request.ts";
import type { MovementKind } from "../../src/journal/movement.ts";
import { movementKinds } from "../../src/journal/movement.ts";
import { kinds } from "../movements/kinds.ts";

/** The meaning of the orders of `kinds`, typed by hand. */
const meant: Readonly<Record<MovementKind, object>> = {
  transfer: { leaves: ["5"], pays: "9000112233", to: { account: "9000112244" }, shows: "rent [R-1]" },
  withdraw: { leaves: ["5.50"], pays: "9000112233", to: undefined, shows: "payout" },
  collect: { leaves: [], pays: undefined, to: undefined, shows: "lunch" },
  remit: {
    leaves: ["250000 TZS", "100 USD"],
    pays: undefined,
    to: { account: "255712345678", institution: "TZ-TIGO-B2C", channel: "MOBILE" },
    shows: "School fees",
  },
  payout: {
    leaves: ["25000 TZS"],
    pays: "9000112233",
    to: { account: "255712000111", institution: "TZ-TIGO-B2C", channel: "MOBILE" },
    shows: "salary",
  },
};

test.each(kinds)("the table reads the fields of a $kind", (each) => {
  const { kind } = each;
  const { input } = each.order("R-1");
  const leaves = leavingAmounts(kind, input).map(({ amount, currency }) =>
    `${amount.toString()} ${currency ?? ""}`.trimEnd(),
  );
  const { narration } = movementForms[kind];
  const read = {
    leaves,
    pays: payingWallet(kind, input),
    to: receiverOf(kind, input),
    shows: requestText(input, narration),
  };
  expect(read).toEqual(meant[kind]);
});

test.each(kinds)("every field that the table names for a $kind is sent", (each) => {
  const { kind } = each;
  const { input } = each.order("R-1");
  const { amounts, payer, receiver, narration, reference, bookings } = movementForms[kind];
  const named = [
    ...amounts.flatMap((field) => Object.values(field)),
    ...Object.values({ ...receiver, name: receiver?.name?.[0] }).filter((name) => typeof name === "string"),
    ...bookings.flatMap((booking) => ("wallet" in booking ? booking.wallet : [])),
    ...(payer === null ? [] : [payer]),
    narration,
    reference.field,
  ];
  expect(named.filter((name) => !Object.hasOwn(input, name))).toEqual([]);
  const sent = requestText(input, reference.field);
  expect(reference.as === "itself" ? sent === "R-1" : sent?.endsWith(" [R-1]")).toBe(true);
});

test.each(movementKinds)("a %s without any field has no amount and no receiver, and throws nothing", (kind) => {
  for (const request of [{}, { amount: null, receiverAmount: "much", to: "", accountNo: [] }])
    expect([amountsIn(kind, request), receiverOf(kind, request), payingWallet(kind, request)]).toEqual([
      [],
      undefined,
      undefined,
    ]);
});

test.each(["", "[]", "7", '{"amount":', "null"])("a request of %j is read as one without fields", (text) => {
  expect(requestOf({ request: text })).toEqual({});
  expect(responseOf({ response: text })).toEqual({});
});

test("an amount keeps every digit", () => {
  const request = requestOf({ request: '{"amount":12345678901234567.10}' });
  expect(amountsIn("withdraw", request).map(({ amount }) => amount.toString())).toEqual(["12345678901234567.10"]);
});
