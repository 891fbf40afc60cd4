import { expect } from "vitest";
import { openDesk } from "../../commands/journal-desk.ts";
import { test } from "../../simulated.ts";
import { withPostgres } from "../../with-postgres.ts";
import { wayTo } from "../../journal/broken-way.ts";
import { fixture, restored } from "../../journal/former-version.ts";

/** The n-th commit of an upgrade never arrives, or is done and its answer lost; nothing comes through after it. */
const fates = ["closed", "last"] as const;

withPostgres("the upgrade of a shared journal of 0.1.0", (server) => {
  test("that breaks off at any commit is completed by the next one, with every order and line", async ({
    partnerIn,
  }) => {
    const original = new URL(await restored(server));
    const name = original.pathname.slice(1);
    const former = fixture("shared-events.ndjson").toString();
    const partnerAt = (url: string) => openDesk(partnerIn, { environment: { PARTNER_JOURNAL_URL: url } }).partner;
    let copies = 0;
    /** False where the upgrade had fewer commits. */
    const breaksAt = async (commit: number, fate: (typeof fates)[number]): Promise<boolean> => {
      const copy = `${name}_${(copies += 1)}`;
      await server.sql("postgres", `CREATE DATABASE ${copy} TEMPLATE ${name}`);
      const address = Object.assign(new URL(original), { pathname: `/${copy}` }).href;
      const way = await wayTo(address);
      way.breakAt(commit, fate);
      const { exit } = await partnerAt(way.address)`journal migrate`;
      if (exit === 0) return false;
      expect(exit).toBe(3);
      const partner = partnerAt(address);
      expect(await partner`journal migrate`).toMatchObject({ exit: 0 });
      expect(await partner`journal verify`).toMatchObject({ exit: 0, stderr: "" });
      const lines = (await partner`journal export --events --output ndjson`).stdout;
      expect(lines.slice(0, former.length)).toBe(former);
      return true;
    };
    for (const fate of fates) {
      let commit = 1;
      while (await breaksAt(commit, fate)) commit += 1;
      expect(commit).toBeGreaterThan(5);
    }
  });
});
