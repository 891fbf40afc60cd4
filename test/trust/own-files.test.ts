import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test as base } from "../simulated.ts";

// No flag may write to a file that partner keeps for itself.

const secrets =
  '{"secretKey":"c2VjcmV0LWtleQ==","accessToken":"token","webhookKey":"a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5"}';

/**
 * A person whose folders have one of everything: profiles, secrets, a journal, an inbox, a ledger, exports, a batch.
 */
const test = base.extend<{ readonly person: { folder: string; environment: Record<string, string> } }>({
  person: async ({ partnerIn }, use) => {
    const folder = temporaryFolder();
    const environment = { PARTNER_CONFIG_DIR: join(folder, "config"), PARTNER_STATE_DIR: join(folder, "state") };
    const partner = partnerIn({ environment });
    const profile = "--base-url https://api.example/tembo/v1 --account-id a --environment sandbox --secret-store file";
    const file = join(folder, "batch.csv");
    writeFileSync(file, "kind,reference,from,to,amount,description\ntransfer,Z-1,9000112233,9000112244,7,Salary\n");
    for (const { exit, stderr } of [
      await partnerIn({ environment, stdin: secrets })`profile add shop ${profile} --secrets-from - --no-input`,
      await partner`transfer --from 9000112233 --to 9000112244 --amount 5 --description Pay --yes`,
      await partner`batch run ${file} --yes`,
      await partner`wallet statement 9000112233 --since-last --start-date 2026-03-01 --save ${join(folder, "w.csv")}`,
      await partner`webhook listen --for 1s`,
      await partner`ledger sync`,
    ])
      if (exit !== 0) throw new Error(stderr);
    await use({ folder, environment });
  },
});

function ownFiles(folder: string): string[] {
  const all = ["config", "state"].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true }),
  );
  return all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function fingerprint(path: string): string {
  return `${statSync(path).ino} ${readFileSync(path, "base64")}`;
}

describe("a file that partner keeps for itself", () => {
  test("is not replaced by --save: by its own name, a link, a second name, or a longer path", async ({
    person: { folder, environment },
    partnerIn,
  }) => {
    const partner = partnerIn({ environment });
    const files = ownFiles(folder);
    expect(files.map((path) => relative(folder, path).split(".")[0])).toEqual(
      expect.arrayContaining(["config/config", "config/credentials", "state/journal", "state/inbox", "state/ledger"]),
    );
    for (const [index, path] of files.entries()) {
      const [link, twin] = [join(folder, `link-${index}`), join(folder, `twin-${index}`)];
      symlinkSync(path, link);
      linkSync(path, twin);
      const longer = join(folder, "state", "..", relative(folder, path)).replace(folder, `${folder}/.`);
      const before = fingerprint(path);
      for (const way of [path, link, twin, longer]) {
        const { exit, stdout, stderr } = await partner`institutions --output csv --save ${way}`;
        expect({ way: relative(folder, way), exit, stdout }).toEqual({
          way: relative(folder, way),
          exit: 2,
          stdout: "",
        });
        expect(stderr).toContain("leads to a file that partner keeps for itself; nothing was written.");
      }
      expect(fingerprint(path)).toBe(before);
    }
  });

  test("is not created by --save either, and another file next to it is", async ({ partnerIn }) => {
    const folder = temporaryFolder();
    const environment = { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: folder };
    const partner = partnerIn({ environment });
    mkdirSync(join(folder, "exports"));
    for (const name of [
      "journal.db",
      "inbox.db-wal",
      "ledger.db",
      "ledger.lock",
      "find.db",
      "credentials.json",
      "exports/accounts",
    ])
      expect((await partner`institutions --csv --save ${join(folder, name)}`).exit).toBe(2);
    for (const _ of ["new", "again"])
      expect((await partner`institutions --save ${join(folder, "institutions.csv")}`).exit).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(["exports", "institutions.csv"]);
  });

  test("may also be a slip, a noted head, a noted status, or a key's place", async ({ partnerIn }) => {
    const folder = temporaryFolder();
    const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: folder } });
    for (const name of ["slip-4b7a-8f0d-0d2f4c1b.json", "verified-heads.json", "status-asked.json", "approval-key"]) {
      writeFileSync(join(folder, name), "kept");
      const { exit, stderr } = await partner`institutions --output csv --save ${join(folder, name)}`;
      expect({ name, exit, stderr }).toMatchObject({ exit: 2, stderr: expect.stringContaining("keeps for itself") });
      expect(readFileSync(join(folder, name), "utf8")).toBe("kept");
    }
  });

  test("is not replaced by any other flag that names a file, and no money moves", async ({
    person: { folder, environment },
    partnerIn,
    simulator,
  }) => {
    const partner = partnerIn({ environment });
    const journal = join(folder, "state/journal.db");
    const link = join(folder, "innocent.csv");
    symlinkSync(journal, link);
    const book = join(folder, "book.csv");
    writeFileSync(book, "reference,amount,date\n");
    const batch = join(folder, "other.csv");
    writeFileSync(batch, "kind,reference,from,to,amount,description\ntransfer,Z-2,9000112233,9000112244,7,Salary\n");
    const before = fingerprint(journal);
    const moved = simulator.world.collections.size;
    const order =
      "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 5 --narration x --reference A-1 --callback-url https://hooks.example/x --yes";
    const lines = [
      `${order} --check-statement never --json --save ${link}`,
      `transfer --from 9000112233 --to 9000112244 --amount 5 --description Pay --yes --json --save ${link}`,
      `batch run ${batch} --yes --report ${link}`,
      `webhook listen --for 1s --ready-file ${link}`,
      `simulator start --ready-file ${link}`,
      `simulator start --state ${link}`,
      `simulator run --state ${link} -- true`,
      `reconcile --account 9000112233 --month 2026-03 --book ${book} --exceptions ${link}`,
      `reconcile --account 9000112233 --month 2026-03 --book ${book} --save ${link} --csv`,
      `wallet statement 9000112233 --month 2026-03 --save ${link} --output ofx`,
    ];
    for (const line of lines) {
      const { exit, stderr } = await partner`${line}`;
      expect({ line, exit }).toEqual({ line, exit: 2 });
      expect(stderr).toContain("leads to a file that partner keeps for itself");
      expect(fingerprint(journal)).toBe(before);
    }
    expect(simulator.world.collections.size).toBe(moved);
  });
});

describe("a link in a folder that others can write to", () => {
  test("is not followed, whatever user made it", async ({ partner }) => {
    const [shared, target] = [join(temporaryFolder(), "shared"), join(temporaryFolder(), "book.csv")];
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    writeFileSync(target, "mine\n");
    symlinkSync(target, join(shared, "out.csv"));
    const { exit, stderr } = await partner`institutions --save ${join(shared, "out.csv")}`;
    expect(exit).toBe(2);
    expect(stderr).toContain("is a link in a folder that others can write to.");
    expect(readFileSync(target, "utf8")).toBe("mine\n");
    expect((await partner`institutions --save ${join(shared, "plain.csv")}`).exit).toBe(0);
  });

  test("is not followed either when it is on the way to the file", async ({ partner }) => {
    const [shared, target] = [join(temporaryFolder(), "shared"), temporaryFolder()];
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    symlinkSync(target, join(shared, "books"));
    expect((await partner`institutions --save ${join(shared, "books", "out.csv")}`).exit).toBe(2);
    expect(readdirSync(target)).toEqual([]);
  });

  test("is followed in a folder of the user's group if the user made it, and not if another user did", async ({
    partner,
    partnerIn,
  }) => {
    const [folder, target] = [join(temporaryFolder(), "group"), join(temporaryFolder(), "book.csv")];
    mkdirSync(folder);
    chmodSync(folder, 0o770);
    writeFileSync(target, "mine\n");
    symlinkSync(target, join(folder, "out.csv"));
    const line = `institutions --save ${join(folder, "out.csv")}`;
    expect((await partnerIn({ machine: { userId: 4711 } })`${line}`).exit).toBe(2);
    expect(readFileSync(target, "utf8")).toBe("mine\n");
    expect((await partner`${line}`).exit).toBe(0);
    expect(readFileSync(target, "utf8")).not.toBe("mine\n");
  });

  test("is followed if the folder is the user's own", async ({ partner }) => {
    const [folder, target] = [temporaryFolder(), join(temporaryFolder(), "book.csv")];
    symlinkSync(target, join(folder, "out.csv"));
    writeFileSync(target, "");
    expect((await partner`institutions --save ${join(folder, "out.csv")}`).exit).toBe(0);
    expect(readFileSync(target, "utf8")).not.toBe("");
  });
});
