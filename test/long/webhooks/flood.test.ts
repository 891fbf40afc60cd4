import { expect, test } from "vitest";
import { floodWithKills } from "../../webhooks/ordeal.ts";

const kills = Number(process.env["PARTNER_WEBHOOK_KILLS"] ?? 40);
const stepEvents = Number(process.env["PARTNER_WEBHOOK_STEP"] ?? 37);

test("many kills under a flood lose no event that was answered", async () => {
  expect(await floodWithKills(kills, stepEvents)).toBeGreaterThanOrEqual((kills * (kills + 1) * stepEvents) / 2);
});
