import { expect, test } from "vitest";
import { unreachable } from "../../src/client/wire-failure.ts";
import { WireError } from "../../src/host/http/transport.ts";

test("a failure of the connection is one sentence with one full stop", () => {
  for (const message of ["The connection broke off", "The connection broke off.", "The connection broke off.."]) {
    const failure = unreachable(new WireError("reset", message, { sent: true }), "id");
    expect(failure.message).toBe("The connection broke off.");
  }
});

test("the hint of a shorter period is given only for statements", () => {
  const error = new WireError("too large", "The answer is larger than 8 bytes", { sent: true });
  expect(unreachable(error, "id", "rows").hint).toBe("Ask for a shorter period.");
  expect(unreachable(error, "id").hint).toBe("Check the base URL: partner profile show");
});
