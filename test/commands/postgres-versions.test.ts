import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

/** What a maker types to get around the second person. */
const attempts = (group: string): readonly string[] => [
  "INSERT INTO partner.approvals (batch, digest, decision, who) SELECT id, digest, 'approved', '{}' FROM partner.batches",
  `SET ROLE ${group}`,
  `GRANT ${group} TO amina`,
  "SET SESSION AUTHORIZATION baraka",
  "SET session_replication_role = replica",
  "UPDATE partner.policy SET requires_approval = false",
  "UPDATE partner.batches SET content = ''",
  "ALTER TABLE partner.approvals DISABLE TRIGGER ALL",
  "SELECT * FROM partner.lock_slots FOR UPDATE",
];

for (const version of [17, 18] as const)
  withPostgres(
    `PostgreSQL ${version}`,
    (server) => {
      beforeAll(() => hire(server));

      test("runs orders, approvals and proofs as the system's own server does", async ({ simulator }) => {
        const office = await openOffice(server, simulator, "--require-approval");
        const [row] = await office.root("SELECT current_setting('server_version_num')::int / 10000 AS version");
        expect(row).toEqual({ version });
        const batch = await office.submit("amina", 3);
        for (const sql of attempts(office.group("checker")))
          await expect(office.sql("amina", sql)).rejects.toThrow(/permission denied|must be owner|admin option/i);
        expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 2 });
        expect(await office.at("baraka")`batch approve ${batch} --yes --expect-count 3`).toMatchObject({ exit: 0 });
        expect(await office.at("runner")`batch run --approved --yes --concurrency 3`).toMatchObject({ exit: 0 });
        expect(await office.at("second")`batch run --approved --yes`).toMatchObject({ exit: 0 });
        expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
        expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
        expect((await office.at("auditor")`doctor --csv`).stdout).toContain("journal guards,ok,");
        // From version 16 on, the role that creates another may grant it, without being a member of it.
        const [byOwner, later] = [
          await office.at("owner")`batch approve ${await office.submit("amina", 1, "reference,amount\nO-1,1\n")} --yes`,
          await office.at("owner")`approvals delegate --to zuri --until 2999-12-31`,
        ];
        expect([byOwner.exit, byOwner.stdout, later.exit]).toEqual([3, "", 3]);
        const alone = await office.at(
          "runner",
        )`transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --yes`;
        expect(alone).toMatchObject({ exit: 2, stdout: "" });
      });
    },
    version,
  );
