import { expect, test } from "vitest";
import { fair, openTown } from "./town.ts";

// A case found by the simulation: accounts with several names.

const collect =
  "collect --msisdn 255710990003 --channel TZ-TIGO-C2B --callback-url https://hooks.example/x --amount 5 --narration rent --yes --json --reference";

test("a journal started again after a loss knows the account under all of its earlier names", async () => {
  const town = await openTown(1);
  const { premises } = town;
  if (premises === undefined) throw new Error("Nobody can move here");
  const order = async (reference: string) => (await town.run([...collect.split(" "), reference], fair))?.exit;
  const address = premises.environment["PARTNER_BASE_URL"] ?? "";
  expect(await order("R-1")).toBe(0);
  premises.call({ PARTNER_BASE_URL: address.replace(/^http:..[^/]*/, "https://pay.example") });
  await town.pass(3_600_000);
  expect(await order("R-2")).toBe(0);
  premises.disk.remove(premises.post.stateFolder);
  expect((await town.run(["journal", "recover", "--allow-empty"], fair))?.exit).toBe(0);
  expect(await order("R-3")).toBe(0);
  premises.call({ PARTNER_ENVIRONMENT: "live", PARTNER_BASE_URL: `${address}/` });
  await town.pass(3_600_000);
  expect(await order("R-3")).toBe(0);
  expect((await town.movements()).map(({ reference, state }) => [reference, state])).toEqual([["R-3", "pending"]]);
  await town.close();
});
