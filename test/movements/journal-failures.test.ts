import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { noSmallDisk, smallDisk } from "../small-disk.ts";
import { expectInvariants } from "./invariants.ts";
import type { Kind } from "./kinds.ts";
import { kinds } from "./kinds.ts";
import { accept, environmentAt, honest } from "./service.ts";
import type { Reaction } from "./teller.ts";
import { teller } from "./teller.ts";
import type { Till } from "./till.ts";
import { openTill } from "./till.ts";

// No journal, no money: exit 3 and nothing on the wire.

/** Little more than a journal. */
const diskKib = 256;

/** Breaks a journal that already has an order; returns the repair. */
const troubles: Readonly<Record<string, (journal: string, till: Till) => () => void>> = {
  "its folder is a file": (_, { stateFolder }) => {
    renameSync(stateFolder, `${stateFolder}.kept`);
    writeFileSync(stateFolder, "");
    return () => {
      rmSync(stateFolder);
      renameSync(`${stateFolder}.kept`, stateFolder);
    };
  },
  "it is gone": (journal) => {
    renameSync(journal, `${journal}.kept`);
    return () => renameSync(`${journal}.kept`, journal);
  },
  "it is empty": (journal) => {
    renameSync(journal, `${journal}.kept`);
    writeFileSync(journal, "", { mode: 0o600 });
    return () => renameSync(`${journal}.kept`, journal);
  },
  "it is a folder": (journal) => {
    renameSync(journal, `${journal}.kept`);
    mkdirSync(journal);
    return () => {
      rmSync(journal, { recursive: true });
      renameSync(`${journal}.kept`, journal);
    };
  },
  "it is a link": (journal) => {
    renameSync(journal, `${journal}.kept`);
    symlinkSync(`${journal}.kept`, journal);
    return () => {
      rmSync(journal);
      renameSync(`${journal}.kept`, journal);
    };
  },
  "it is something else": (journal) => {
    renameSync(journal, `${journal}.kept`);
    writeFileSync(journal, "not a database, but long enough to be read as one\n".repeat(200), { mode: 0o600 });
    return () => renameSync(`${journal}.kept`, journal);
  },
  "it is cut short": (journal) => {
    spawnSync("cp", [journal, `${journal}.kept`]);
    truncateSync(journal, 4096);
    return () => renameSync(`${journal}.kept`, journal);
  },
  "what remembers it is damaged": (_, { environment }) => {
    const memory = join(environment["PARTNER_CONFIG_DIR"] ?? "", "journals.json");
    renameSync(memory, `${memory}.kept`);
    writeFileSync(memory, "{");
    return () => renameSync(`${memory}.kept`, memory);
  },
};

/** Another order of the same payment, on purpose. */
const meant = (kind: Kind, reference: string) => `${kind.line(reference)} --again`;

for (const kind of kinds) {
  test.for(Object.keys(troubles))(
    `${kind.kind}: when the journal can't be used (%s), nothing is sent`,
    async (name) => {
      const told = await teller({ react: accept });
      const till = openTill(environmentAt(told.origin));
      expect((await till.run(kind.line("R-1"))).exit).toBe(0);
      const repair = troubles[name]?.(join(till.stateFolder, "journal.db"), till);
      for (const reference of ["R-1", "R-2"]) {
        const run = await till.run(meant(kind, reference));
        expect(run).toMatchObject({ exit: 3, stdout: "" });
        // Some money of R-1 moved: the sentence is about this run, and an unreadable journal doesn't show earlier
        // ones.
        expect(run.stderr).toMatch(/^This run moved no money\.( An earlier one may have\.)?$/m);
        const fate = name === "what remembers it is damaged" ? "not moved" : "unknown";
        expect(run.stderr).toContain(`"money":"${fate}"`);
      }
      expect(told.requests).toHaveLength(1);
      repair?.();
      expect((await till.run(kind.line("R-1"))).exit).toBe(0);
      const later = await till.run(meant(kind, "R-2"));
      await expectInvariants(later, { kind, reference: "R-2", till, service: honest(told) });
      expect(told.requests).toHaveLength(2);
    },
  );

  test(`${kind.kind}: an order that the journal refuses to store is not sent, and the journal isn't called damaged`, async () => {
    const told = await teller({ react: accept });
    const till = openTill(environmentAt(told.origin));
    expect((await till.run(kind.line("R-1"))).exit).toBe(0);
    const change = (sql: string) => {
      const database = new DatabaseSync(join(till.stateFolder, "journal.db"));
      database.exec(sql);
      database.close();
    };
    change("CREATE TRIGGER strange BEFORE INSERT ON movements BEGIN SELECT RAISE(ABORT, 'no more orders'); END");
    const refused = await till.run(meant(kind, "R-2"));
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toMatch(/The journal \S+ refuses a change: no more orders\./);
    expect(refused.stderr).toContain("partner journal verify");
    expect(told.requests).toHaveLength(1);
    change("DROP TRIGGER strange");
    const later = await till.run(meant(kind, "R-2"));
    await expectInvariants(later, { kind, reference: "R-2", till, service: honest(told) });
  });

  test(`${kind.kind}: nothing is sent when the disk is already full`, async ({ skip }) => {
    const disk = smallDisk(diskKib) ?? skip(noSmallDisk);
    const told = await teller({ react: accept });
    const till = openTill(environmentAt(told.origin), disk.folder);
    expect((await till.run(kind.line("R-1"))).exit).toBe(0);
    disk.fill();
    const full = await till.run(meant(kind, "R-2"));
    expect(full).toMatchObject({ exit: 3, stdout: "" });
    expect(told.requests).toHaveLength(1);
    disk.empty();
    const later = await till.run(meant(kind, "R-2"));
    expect(later.exit).toBe(0);
    await expectInvariants(later, { kind, reference: "R-2", till, service: honest(told) });
  });

  test(`${kind.kind}: no outcome is lost when the disk fills up while the request is in flight`, async ({ skip }) => {
    const disk = smallDisk(diskKib) ?? skip(noSmallDisk);
    const fillThenAccept: Reaction = (socket, request) => {
      disk.fill();
      accept(socket, request);
    };
    const told = await teller({ react: accept });
    const till = openTill(environmentAt(told.origin), disk.folder);
    expect((await till.run(kind.line("R-1"))).exit).toBe(0);
    told.react(fillThenAccept);
    const first = await till.run(meant(kind, "R-2"));
    expect(first).toMatchObject({ exit: 0, stdout: expect.stringContaining(`"state": "${kind.state}"`) });
    told.react(accept);
    expect(await till.run(meant(kind, "R-2"))).toMatchObject({ exit: 0, stdout: first.stdout });
    disk.empty();
    await expectInvariants(first, { kind, reference: "R-2", till, service: honest(told) });
    expect(told.requests).toHaveLength(2);
  });

  test(`${kind.kind}: on a full disk the outcome is shown, with a warning that it is not recorded anywhere`, async ({
    skip,
  }) => {
    const disk = smallDisk(diskKib) ?? skip(noSmallDisk);
    const told = await teller({ react: accept });
    const till = openTill(environmentAt(told.origin), disk.folder);
    expect((await till.run(kind.line("R-1"))).exit).toBe(0);
    told.react((socket, request) => {
      rmSync(join(till.stateFolder, "slip.reserve"));
      disk.fill();
      accept(socket, request);
    });
    const first = await till.run(`${meant(kind, "R-2")} --quiet`);
    expect(first).toMatchObject({ exit: 0, stdout: expect.stringContaining(`"state": "${kind.state}"`) });
    const { id, requestId }: Readonly<Record<string, string>> = JSON.parse(first.stdout);
    expect(first.stderr).toContain("Neither the journal nor a file beside it took the outcome");
    expect(first.stderr).toContain(`id ${id}, request ${requestId}`);
    disk.empty();
    told.react(accept);
    expect(await till.run(meant(kind, "R-2"))).toMatchObject({ exit: 6 });
    expect(told.requests).toHaveLength(2);
  });
}
