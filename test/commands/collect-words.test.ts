import { expect } from "vitest";
import { test } from "../simulated.ts";
import { errorIn } from "./served.ts";

const order = "--channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference INV-1 --yes --json";

test("a wait that runs out says that the request was accepted, and nothing of money", async ({ partner }) => {
  const ended = await partner`collect --msisdn 255712990003 ${order} --wait --wait-for 5s`;
  expect(ended).toMatchObject({ exit: 7 });
  expect(errorIn(ended)["message"]).toBe(
    "The service accepted the request, but no callback reported the outcome within 5s.",
  );
});

test("a refused callback advises a new reference, and says why the old one will not do", async ({
  partnerIn,
  simulator,
}) => {
  const ended = await partnerIn({ meanwhile: () => simulator.idle() })`collect --msisdn 255710990001 ${order} --wait`;
  expect(ended).toMatchObject({ exit: 4 });
  expect(errorIn(ended)["hint"]).toBe(
    "To try again, use a new reference. The service knows this one now and may call a second order under it a duplicate.",
  );
});
