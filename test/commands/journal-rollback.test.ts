import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { movedUnder, openDesk, transferOf } from "./journal-desk.ts";

// A journal put back to each of its earlier states, even in the middle of an order.

const references = ["R-1", "R-2", "R-3"];
/** Moments before the first order, and during and after each order. */
const moments = ["before R-1", ...references.flatMap((reference) => [`within ${reference}`, `after ${reference}`])];
/** The number of events in the journal at that moment: an order is prepared, sent and accepted. */
const events = (moment: number) => Math.floor(moment / 2) * 3 + (moment % 2) * 2;
const last = moments.length - 1;

describe.for([
  ["restored from a copy of its file", "journal.db"],
  ["rolled back with its folder, as a snapshot is", ""],
] as const)("a journal %s", ([, part]) => {
  test.for(moments.slice(0, last).map((name, moment) => [name, moment] as const))(
    "to where it was %s sends nothing until it is recovered, and pays nothing twice",
    async ([, moment], { partnerIn, simulator }) => {
      const desk = openDesk(partnerIn);
      // Makes a journal without orders.
      expect((await desk.partner`journal recover`).exit).toBe(0);
      const copy = join(temporaryFolder(), "state");
      let count = 0;
      const keep = () => {
        if (count === moment) cpSync(desk.state, copy, { recursive: true });
        count += 1;
      };
      simulator.world.onBooking(keep);
      keep();
      for (const reference of references) {
        expect(await desk.send(reference)).toEqual([0]);
        keep();
      }
      rmSync(join(desk.state, part), { recursive: true });
      cpSync(join(copy, part), join(desk.state, part), { recursive: true });
      // The process that was sending the order has ended.
      const later = desk.at({ world: { machine: { processFate: () => "ended" } } });
      for (const line of [transferOf("R-3"), `${transferOf("R-9")} --quiet`, "journal verify"]) {
        const { exit, stdout, stderr } = await later.partner`${line}`;
        expect({ line, exit, stdout }).toEqual({ line, exit: 3, stdout: "" });
        expect(stderr).toContain(`it ends at event ${events(moment)}, ${events(last)} were written.`);
        expect(stderr).toContain("partner journal recover");
      }
      expect((await later.partner`journal recover`).exit).toBe(0);
      expect((await later.partner`journal resolve --all`).exit).toBe(0);
      expect(await later.send(...references)).toEqual([0, 0, 0]);
      expect(movedUnder(simulator, ...references, "R-9")).toEqual([1, 1, 1, 0]);
    },
  );
});
