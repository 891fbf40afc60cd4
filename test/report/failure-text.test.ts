import { expect, test } from "vitest";
import { renderFailure } from "../../src/report/failure-text.ts";
import { Failure } from "../../src/values/failure.ts";

const plain = { format: "table", colour: false, debug: false } as const;
const full = new Failure("unknown", "The answer was lost.", {
  hint: "partner journal resolve R-1",
  money: "unknown",
  requestId: "5b0c",
  http: 502,
  reason: "GENERIC_ERROR",
  details: { amount: "must be greater than zero", walletId: "is required" },
  reference: "R-1",
});

test("a failure prints message, fields, whether money moved, the hint, and the ids for support", () => {
  expect(renderFailure(full, plain)).toBe(`Error: The answer was lost.
  amount: must be greater than zero
  walletId: is required
Money may have moved. Do not repeat it before you know.
Hint: partner journal resolve R-1
Reference: R-1
Request id: 5b0c
`);
});

test("a hint that says not to send an order again is not printed twice", () => {
  const hint = "Do not send it again. Find out what happened: partner journal resolve R-1";
  expect(renderFailure(new Failure("unknown", "The answer was lost.", { money: "unknown", hint }), plain)).toBe(
    `Error: The answer was lost.\nMoney may have moved.\nHint: ${hint}\n`,
  );
});

test("without a hint the ending gives one, and only orders mention money", () => {
  expect(renderFailure(new Failure("unavailable", "No connection."), plain)).toBe(
    "Error: No connection.\nHint: Try again later; nothing changed.\n",
  );
  expect(renderFailure(new Failure("refused", "No.", { money: "not moved" }), plain)).toContain("\nNo money moved.\n");
  expect(renderFailure(new Failure("bug", "Oops.", { money: "moved" }), plain)).toContain("\nMoney moved.\n");
});

test.each(["json", "ndjson"] as const)("with %s the last line is one JSON object with every key", (format) => {
  const lines = renderFailure(full, { ...plain, format }).split("\n");
  expect(lines.at(-1)).toBe("");
  expect(lines.at(-2)).toBe(
    '{"error":{"ending":"unknown","message":"The answer was lost.","hint":"partner journal resolve R-1",' +
      '"money":"unknown","requestId":"5b0c","http":502,"reason":"GENERIC_ERROR",' +
      '"details":{"amount":"must be greater than zero","walletId":"is required"},"reference":"R-1"}}',
  );
  expect(lines[0]).toBe("Error: The answer was lost.");
});

test("unknown members are null in JSON", () => {
  expect(
    renderFailure(new Failure("usage", "Wrong."), { ...plain, format: "json" })
      .split("\n")
      .at(-2),
  ).toBe(
    '{"error":{"ending":"usage","message":"Wrong.","hint":null,"money":"none","requestId":null,"http":null,' +
      '"reason":null,"details":null,"reference":null}}',
  );
});

test("with csv and table there is no JSON on stderr", () => {
  for (const format of ["csv", "table"] as const) expect(renderFailure(full, { ...plain, format })).not.toContain("{");
});

test("a stack with every cause is printed only with debug", () => {
  const cause = new Error("the wire", { cause: "a string" });
  const failure = new Failure("unavailable", "No connection.", { cause });
  expect(renderFailure(failure, plain)).not.toContain("    at ");
  const text = renderFailure(failure, { ...plain, debug: true });
  expect(text).toMatch(/\nError: the wire\n {4}at /);
  expect(text).toMatch(/\na string\n$/);
});

test("a cyclic chain of causes is printed once", () => {
  const cause = new Error("round");
  cause.cause = cause;
  const text = renderFailure(new Failure("bug", "Oops.", { cause }), { ...plain, debug: true });
  expect(text.match(/Error: round/g)).toHaveLength(1);
});

test("hostile text is printed escaped and cannot forge a line", () => {
  const hostile = "x\u001b[2J\n\u202eMoney: moved\r";
  const failure = new Failure("refused", hostile, {
    hint: hostile,
    requestId: hostile,
    reference: hostile,
    details: { [hostile]: `${hostile} once more` },
  });
  for (const format of ["table", "json"] as const) {
    const text = renderFailure(failure, { ...plain, format });
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(text.split("\n")).toHaveLength(format === "json" ? 7 : 6);
  }
});

test("only the first word is coloured", () => {
  expect(renderFailure(new Failure("usage", "Wrong."), { ...plain, colour: true })).toMatch(
    /^\u001b\[1;31mError:\u001b\[0m Wrong\.\n[^\u001b]*$/,
  );
});

test("a detail already in the message is not printed twice", () => {
  const failure = new Failure("usage", "--amount is empty.", { details: { "--amount": "--amount is empty." } });
  expect(renderFailure(failure, plain)).not.toMatch(/^ {2}--amount:/m);
});
