import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { flood } from "./flood.ts";
import { keptIn, startReceiver } from "./process.ts";

/**
 * Floods a receiver that is killed again and again, each time after some more answers, and checks after each kill
 * whether everything answered with 200 is in the inbox, once.
 * @returns how many were answered with 200
 */
export async function floodWithKills(kills: number, stepEvents: number): Promise<number> {
  const stateFolder = join(temporaryFolder(), "state");
  const acknowledged = new Set<string>();
  for (let kill = 1; kill <= kills; kill += 1) {
    const receiver = await startReceiver({ stateFolder });
    const ids = Array.from({ length: kill * stepEvents + 500 }, (_, index) => `K${kill}-${index}`);
    const result = await flood(receiver.url, ids, 32, (count) => {
      if (count === kill * stepEvents) receiver.child.kill("SIGKILL");
    });
    expect(await receiver.end("SIGKILL")).toBe("SIGKILL");
    for (const id of result.acknowledged) acknowledged.add(id);
    const kept = (await keptIn(stateFolder)).map(({ id }) => id);
    const found = new Set(kept);
    expect(found.size).toBe(kept.length);
    expect([...acknowledged].filter((id) => !found.has(id))).toEqual([]);
  }
  return acknowledged.size;
}
