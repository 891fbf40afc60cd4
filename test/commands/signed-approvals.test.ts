import { nodeFiles } from "../../src/host/files/node-files.ts";
import { approvalsLayout } from "../../src/journal/postgres/approvals/schema.ts";
import { redactedBatches } from "../../src/journal/postgres/chain/redact-sql.ts";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { noSmallDisk, smallDisk } from "../small-disk.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach, openDesk } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

const needsKeygen = spawnSync("ssh-keygen", ["-?"]).error === undefined ? "" : " (skipped: needs ssh-keygen)";

/** Makes a new key and returns the path of its private half. */
function newKey(): string {
  const path = join(temporaryFolder(), "id_ed25519");
  const { status } = spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "baraka@bank", "-f", path]);
  expect(status).toBe(0);
  return path;
}

/** What the owner of the database can write to forge an approval by baraka. */
const forged = (signature: string) => `ALTER TABLE partner.approvals DISABLE TRIGGER ALL;
  INSERT INTO partner.approvals (number, batch, digest, decision, who, decided_by, decided_at, signature, member_of, acting_for, seal)
    SELECT 9, id, digest, 'approved', '{}', 'baraka', 1, ${signature}, '[]', '[]',
      encode(sha256(convert_to(encode(sha256(convert_to(concat_ws(E'\\n', 9, id, digest, 'approved', 'baraka', 1, ''), 'UTF8')), 'hex')
        || E'\\n[]\\n[]', 'UTF8')), 'hex')
    FROM partner.batches ORDER BY number DESC LIMIT 1`;

/** A public key whose bytes name the same type or another one. */
function keyOf(type: string, within: string): string {
  const bytes = Buffer.concat([Buffer.from([0, 0, 0, within.length]), Buffer.from(within), Buffer.alloc(36)]);
  return `${type} ${bytes.toString("base64")} x`;
}

withPostgres("a signed approval", (server) => {
  beforeAll(() => hire(server));

  describe.skipIf(needsKeygen !== "")(`is checked against the approver's registered key${needsKeygen}`, () => {
    test("and the runner verifies it before sending", async ({ simulator }) => {
      const office = await openOffice(server, simulator, "--require-approval");
      const key = newKey();
      const unregistered = await office.submit("amina", 2);
      expect(await office.at("baraka")`batch approve ${unregistered} --yes --sign --key ${key}`).toMatchObject({
        exit: 3,
      });
      const added = await office.at("baraka")`approvals key add ${`${key}.pub`} --json`;
      expect(added).toMatchObject({ exit: 0 });
      const { fingerprint, user } = JSON.parse(added.stdout);
      const told = spawnSync("ssh-keygen", ["-l", "-f", `${key}.pub`], { encoding: "utf8" }).stdout;
      expect(told).toContain(fingerprint);
      expect(user).toBe("baraka");
      await office.rule({ signatures: "required" });
      expect(await office.at("baraka")`batch approve ${unregistered} --yes`).toMatchObject({ exit: 2, stdout: "" });
      expect(await office.at("baraka")`batch approve ${unregistered} --yes --sign`).toMatchObject({ exit: 0 });
      expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
      expect(movedEach(simulator, 2)).toEqual([1, 1]);
      const shown = JSON.parse((await office.at("auditor")`batch show ${unregistered} --json`).stdout);
      const { digest } = shown.batch;
      const desk = openDesk();
      const signature = desk.write(shown.decisions[0].signature, "signature");
      const signers = desk.write(`baraka ${readFileSync(`${key}.pub`, "utf8")}`, "signers");
      const args = ["-Y", "verify", "-n", "partner-approval", "-I", "baraka", "-f", signers, "-s", signature];
      expect(spawnSync("ssh-keygen", args, { input: digest })).toMatchObject({ status: 0 });
    });

    test("and one forged by the owner of the database sends nothing", async ({ simulator }) => {
      const office = await openOffice(server, simulator, "--require-approval");
      const key = newKey();
      await office.at("baraka")`approvals key add ${`${key}.pub`}`;
      await office.rule({ signatures: "required" });
      const first = await office.submit("amina", 2);
      await office.at("baraka")`batch approve ${first} --yes --sign`;
      const second = await office.submit("amina", 2, "reference,amount\nR-8,70\nR-9,80\n");
      const ofAnother = "(SELECT signature FROM partner.approvals WHERE signature IS NOT NULL LIMIT 1)";
      await office.root(forged(ofAnother));
      const refused = await office.at("runner")`batch run --approved ${second} --yes`;
      expect(refused).toMatchObject({ exit: 3, stdout: "" });
      expect(refused.stderr).toContain(`Batch ${second} has no approval with a valid signature`);
      await office.root("DELETE FROM partner.approvals WHERE number = 9");
      await office.root(forged("NULL"));
      expect(await office.at("runner")`batch run --approved ${second} --yes`).toMatchObject({ exit: 3, stdout: "" });
      const together = await office.at("runner")`batch run --approved --yes`;
      expect(together).toMatchObject({ exit: 3, stdout: expect.stringContaining(first) });
      expect(movedEach(simulator, 9)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0]);
    });

    test("and stays required for a batch submitted before the rules were relaxed", async ({ simulator }) => {
      const office = await openOffice(server, simulator, "--require-approval");
      const key = newKey();
      await office.at("baraka")`approvals key add ${`${key}.pub`}`;
      await office.rule({ signatures: "required" });
      const batch = await office.submit("amina", 2);
      await office.rule({ newReceiver: { approvals: 1 } });
      expect(await office.at("baraka")`batch approve ${batch} --yes`).toMatchObject({ exit: 2, stdout: "" });
      expect(await office.at("baraka")`batch approve ${batch} --yes --sign`).toMatchObject({ exit: 0 });
      expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 0 });
      const later = await office.submit("amina", 2, "reference,amount\nR-8,70\nR-9,80\n");
      expect(await office.at("baraka")`batch approve ${later} --yes`).toMatchObject({ exit: 0 });
      expect(await office.at("runner")`batch run --approved ${later} --yes`).toMatchObject({ exit: 0 });
    });

    test("and needs a temporary folder: without one nothing is decided", async ({ simulator }) => {
      const office = await openOffice(server, simulator, "--require-approval");
      const key = newKey();
      await office.at("baraka")`approvals key add ${`${key}.pub`}`;
      const batch = await office.submit("amina", 2);
      const approvedWhere = (path: string) => {
        const temporary = async () => {
          mkdirSync(path);
          return { path, remove: () => nodeFiles().removeFolder(path) };
        };
        const host = { files: { ...nodeFiles(), temporaryFolder: temporary } };
        return office.at("baraka", { host })`batch approve ${batch} --yes --sign`;
      };
      const unusable = {
        exit: 3,
        stdout: "",
        stderr:
          "Error: The temporary folder cannot be used: its folder does not exist.\nHint: Set TMPDIR to a folder with room that you may write to, and try again.\n",
      };
      expect(await approvedWhere("/nonexistent/partner")).toMatchObject(unusable);
      // Without the key's file its agent is asked, which needs the public half in a file.
      rmSync(`${key}.pub`);
      expect(await approvedWhere("/nonexistent/partner")).toMatchObject(unusable);
      const disk = smallDisk(64);
      if (disk !== undefined) {
        chmodSync(disk.folder, 0o700);
        disk.fill();
        const full = await approvedWhere(join(disk.folder, "partner"));
        expect(full).toMatchObject({ exit: 3, stdout: "" });
        expect(full.stderr).toContain("Error: The temporary folder cannot be used: the disk is full.\n");
        expect(readdirSync(disk.folder)).toEqual(["ballast"]);
      }
      const shown = JSON.parse((await office.at("auditor")`batch show ${batch} --json`).stdout);
      expect(shown).toMatchObject({ batch: { state: "submitted" }, decisions: [] });
    });

    test("and a deputy who is not a checker signs with a key of their own", async ({ simulator }) => {
      const office = await openOffice(server, simulator, "--require-approval");
      const key = newKey();
      await office.rule({ signatures: "required" });
      const batch = await office.submit("amina", 2);
      const tooEarly = await office.at("musa")`approvals key add ${`${key}.pub`}`;
      expect(tooEarly).toMatchObject({ exit: 3, stdout: "" });
      await office.at("neema")`approvals delegate --to musa --until 2999-12-31`;
      // As an earlier version left the rights of a deputy.
      await office.root(`REVOKE INSERT (public_key, comment, who) ON partner.signing_keys FROM musa;
        UPDATE partner.layout SET version = ${approvalsLayout.migrations.indexOf(redactedBatches) - 1} WHERE part = 'approvals'`);
      expect(await office.at("owner")`journal migrate`).toMatchObject({ exit: 0 });
      expect(await office.at("musa")`approvals key add ${`${key}.pub`}`).toMatchObject({ exit: 0 });
      expect(await office.at("musa")`batch approve ${batch} --yes`).toMatchObject({ exit: 2, stdout: "" });
      expect(await office.at("musa")`batch approve ${batch} --yes --sign`).toMatchObject({ exit: 0 });
      expect(await office.at("owner")`doctor --json`).toMatchObject({ exit: 0 });
      expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
      expect(movedEach(simulator, 2)).toEqual([1, 1]);
      await office.root("SET session_replication_role = replica; UPDATE partner.delegations SET until_at = 1");
      expect(await office.at("musa")`approvals key add ${`${newKey()}.pub`}`).toMatchObject({ exit: 3, stdout: "" });
      expect(await office.at("musa")`approvals key remove ${`${key}.pub`}`).toMatchObject({ exit: 0 });
    });

    test("and no longer counts after the key is removed, which only its owner can do", async ({ simulator }) => {
      const office = await openOffice(server, simulator, "--require-approval");
      const key = newKey();
      await office.at("baraka")`approvals key add ${`${key}.pub`}`;
      await office.rule({ signatures: "required" });
      const batch = await office.submit("amina", 2);
      await office.at("baraka")`batch approve ${batch} --yes --sign`;
      expect(await office.at("zuri")`approvals key remove ${`${key}.pub`}`).toMatchObject({ exit: 3, stdout: "" });
      expect(await office.at("baraka")`approvals key remove ${`${key}.pub`}`).toMatchObject({ exit: 0 });
      const listed = JSON.parse((await office.at("auditor")`approvals key list --json`).stdout);
      expect(listed).toMatchObject([{ user: "baraka", state: "removed", removedBy: "baraka", comment: "baraka@bank" }]);
      expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 3, stdout: "" });
      expect(movedEach(simulator, 2)).toEqual([0, 0]);
      for (const sql of [
        "DELETE FROM partner.removed_keys",
        "UPDATE partner.signing_keys SET owned_by = 'zuri'",
        "INSERT INTO partner.signing_keys (public_key, comment, who, owned_by) VALUES ('ssh-ed25519 AAAA', '', '', 'baraka')",
      ])
        await expect(office.sql("zuri", sql)).rejects.toThrow("permission denied");
      await expect(
        office.sql(
          "amina",
          "INSERT INTO partner.signing_keys (public_key, comment, who) VALUES ('ssh-ed25519 AAAA', '', '')",
        ),
      ).rejects.toThrow("permission denied");
    });

    test("and a runner with --signers accepts only the keys in that file", async ({ simulator }) => {
      const office = await openOffice(server, simulator, "--require-approval");
      const [known, other] = [newKey(), newKey()];
      await office.at("baraka")`approvals key add ${`${other}.pub`}`;
      const batch = await office.submit("amina", 2);
      await office.at("baraka")`batch approve ${batch} --yes --sign`;
      const signers = openDesk().write(`baraka ${readFileSync(`${known}.pub`, "utf8")}`, "signers");
      const refused = await office.at("runner")`batch run --approved ${batch} --yes --signers ${signers}`;
      expect(refused).toMatchObject({ exit: 3, stdout: "" });
      const both = openDesk().write(`baraka ${readFileSync(`${other}.pub`, "utf8")}`, "signers");
      expect(await office.at("runner")`batch run --approved ${batch} --yes --signers ${both}`).toMatchObject({
        exit: 0,
      });
      expect(movedEach(simulator, 2)).toEqual([1, 1]);
    });
  });

  test("has a registered key even if the disk is too full to remember the key's path", async ({ simulator, skip }) => {
    const disk = smallDisk(64) ?? skip(noSmallDisk);
    chmodSync(disk.folder, 0o700);
    disk.fill();
    const office = await openOffice(server, simulator);
    const key = openDesk().write(keyOf("ssh-ed25519", "ssh-ed25519"), "id.pub");
    const full = { environment: { PARTNER_CONFIG_DIR: disk.folder } };
    const { exit, stdout, stderr } = await office.at("baraka", full)`approvals key add ${key}`;
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
    expect(stderr).toBe(
      `Error: ${join(disk.folder, "approval-key")} cannot be written: the disk is full.\nHint: Make it usable for this user, or name another folder with PARTNER_CONFIG_DIR.\n`,
    );
    expect((await office.at("baraka")`approvals key add ${key}`).stderr).toContain("It was registered before.");
  });

  test("requires a public key; a private key is refused without being printed", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const secret = openDesk().write(
      "-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----\n",
      "id",
    );
    const others = [keyOf("ssh-dss", "ssh-dss"), keyOf("ssh-ed25519", "ssh-dss")].map((line) =>
      openDesk().write(line, "id.pub"),
    );
    for (const file of [
      secret,
      openDesk().write("ssh-ed25519 AAAA x", "id.pub"),
      ...others,
      join(openDesk().folder, "none"),
    ]) {
      const refused = await office.at("baraka")`approvals key add ${file}`;
      expect(refused).toMatchObject({ exit: 2, stdout: "" });
      expect(refused.stderr).not.toContain("c2VjcmV0");
    }
    expect(await office.at("amina")`approvals key list`).toMatchObject({ exit: 0 });
  });
});
