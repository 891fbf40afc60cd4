import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import { person } from "../person.ts";
import { kinds } from "./kinds.ts";
import { accept, environmentAt, honest } from "./service.ts";
import { teller } from "./teller.ts";
import type { Till } from "./till.ts";
import { hastySqlite, lock, notLocked, openTill } from "./till.ts";

// What is left of an order when the journal that sent it is lost or was restored: its outcome on a slip.

/** For runs that find the journal locked until they end. */
const sqlite = () => Promise.resolve(hastySqlite());

const wallets = [
  { accountNo: "9000112233", type: "DEFAULT DISBURSEMENT", currency: "TZS" },
  { accountNo: "0560066551200", type: "DEFAULT COLLECTION", currency: "TZS" },
];

/** What became of the journal since the order was sent. */
const mishaps: Readonly<Record<string, (till: Till) => void>> = {
  "a journal that was put back": ({ stateFolder }) =>
    cpSync(join(stateFolder, "former.db"), join(stateFolder, "journal.db")),
  "the journal that replaces a lost one": ({ stateFolder }) => rmSync(join(stateFolder, "journal.db")),
};

for (const [name, mishap] of Object.entries(mishaps))
  test.each(kinds)(`${name} sends no $kind again whose outcome is on a slip`, async (kind) => {
    const till = openTill({});
    const { host, stop } = person();
    let unlock = notLocked;
    const told = await teller({
      react: accept,
      reads: (socket, { path }) =>
        void socket.end(answer("200 OK", path.includes("statement") ? "[]" : JSON.stringify(wallets))),
    });
    Object.assign(till.environment, environmentAt(told.origin));
    const journal = join(till.stateFolder, "journal.db");
    await till.run(kind.line("R-0"));
    cpSync(journal, join(till.stateFolder, "former.db"));
    told.react((socket, request) => {
      unlock = lock(till);
      stop("SIGTERM");
      accept(socket, request);
    });
    await till.run(`${kind.line("R-1")} --again`, { host: { ...host, sqlite } });
    unlock();
    told.react(accept);
    mishap(till);
    expect((await till.run("journal recover --allow-empty")).exit).toBe(0);
    const slip = readdirSync(till.stateFolder).find((file) => file.startsWith("slip-")) ?? "";
    const again = await till.run(`${kind.line("R-1")} --again`);
    expect(again).toMatchObject({ exit: 2, stdout: "" });
    expect(again.stderr).toMatch(
      new RegExp(`${slip} has the outcome of the \\w+ R-1 \\(${kind.state}\\), which this journal does not know`),
    );
    expect(honest(told).moved(kind, "R-1")).toBe(1);
    const dry = await till.run(`${kind.line("R-1")} --again --dry-run`);
    expect(dry.exit).toBe(0);
    expect(dry.stderr).toContain(slip);
    expect(dry.stderr).not.toContain("The next command that writes enters it");
    expect((await till.run(`${kind.line("R-2")} --again`)).exit).toBe(0);
    rmSync(join(till.stateFolder, slip));
    expect((await till.run(`${kind.line("R-1")} --again`)).exit).toBe(0);
  });
