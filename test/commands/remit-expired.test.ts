import { expect } from "vitest";
import { test } from "../simulated.ts";
import { openDesk } from "./batch-service.ts";
import { remittanceWith } from "./remittance.ts";

test("repeating a remittance works after the sender's id has expired; a new one is refused", async ({ partnerIn }) => {
  const desk = openDesk();
  const onDay = (day: number) => partnerIn({ ...desk, now: Date.UTC(2026, 2, day, 9) });
  const draft = desk.write(JSON.stringify(remittanceWith({ "sender.idExpiryDate": "2026-03-30" })), "draft.json");
  const sent = await onDay(
    30,
  )`remit --from-file ${draft} --reference R-1 --payment-date 2026-03-30T09:00:00+03:00 --yes --json`;
  expect(sent.exit).toBe(0);
  const again = await onDay(
    31,
  )`remit --from-file ${draft} --reference R-1 --payment-date 2026-03-30T09:00:00+03:00 --yes --json`;
  expect(again).toMatchObject({ exit: 0, stdout: sent.stdout });
  const other = await onDay(31)`remit --from-file ${draft} --reference R-2 --yes --json`;
  expect(other).toMatchObject({ exit: 2, stdout: "" });
  expect(other.stderr).toContain("has passed: the id is no longer valid");
});
