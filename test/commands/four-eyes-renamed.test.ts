import { beforeAll, expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { Partner } from "../simulated.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { openDesk } from "./batch-service.ts";
import type { Office, Person } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

// An administrator may rename a role, for example after a wedding. It then has had two names, but is one person.

/** Renames a role, also on this person's machine; the tests share the logins of one server. */
async function renamed(office: Office, person: Person, own: Readonly<Record<string, string>> = {}) {
  const name = `${person}_k`;
  const rename = (from: string, to: string) =>
    office.root(`ALTER ROLE ${from} RENAME TO ${to}; ALTER ROLE ${to} PASSWORD 'pw-${person}'`);
  await rename(person, name);
  const { PARTNER_JOURNAL_URL: url = "" } = await office.environmentOf(person);
  const environment = { ...own, PARTNER_JOURNAL_URL: Object.assign(new URL(url), { username: name }).href };
  return { at: office.at(person, { environment }), back: () => rename(name, person) };
}

withPostgres("a person whose role was renamed", (server) => {
  beforeAll(() => hire(server));

  test("cannot approve their own batch, and no one else can; a checker can still reject it", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("zuri", 2);
    const zuri = await renamed(office, "zuri");
    try {
      for (const partner of [zuri.at, office.at("neema")]) {
        const approved = await partner`batch approve ${batch} --yes`;
        expect(approved).toMatchObject({ exit: 3, stdout: "" });
        expect(approved.stderr).toContain("The batch was submitted by zuri, and no role has that name any more");
      }
      expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 2, stdout: "" });
      expect(await office.at("neema")`batch reject ${batch} --reason gone --yes`).toMatchObject({ exit: 0 });
    } finally {
      await zuri.back();
    }
  });

  test("does not count twice as an approver", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ levels: [{ approvals: 2 }] });
    const batch = await office.submit("amina", 2);
    expect(await office.at("zuri")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
    const zuri = await renamed(office, "zuri");
    try {
      await zuri.at`batch approve ${batch} --yes`;
      const run = await office.at("runner")`batch run --approved ${batch} --yes`;
      expect(run).toMatchObject({ exit: 2, stdout: "" });
      expect(run.stderr).toContain("1 more approval is missing");
      expect(await office.at("neema")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
      expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 0 });
      expect(await office.at("owner")`journal verify`).toMatchObject({ exit: 0 });
    } finally {
      await zuri.back();
    }
  });

  test("cannot call a row refused alone, as checker and as runner", async ({ simulator, faults }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.root(`GRANT ${office.group("runner")} TO zuri`);
    const batch = await office.submit("amina", 1);
    expect(await office.at("neema")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
    faults.loseNextAnswer();
    expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 6 });
    const service = environmentFor(simulator);
    const [{ reference = "" } = {}] = JSON.parse((await office.at("runner")`journal list --json`).stdout);
    const line = `journal resolve ${reference} --as refused --evidence call --unchecked --against-statement`;
    const word = (partner: Partner) => partner`${line}`;
    expect(await word(office.at("zuri", { environment: service }))).toMatchObject({ exit: 6 });
    const zuri = await renamed(office, "zuri", service);
    try {
      expect(await word(zuri.at)).toMatchObject({ exit: 6 });
      expect(await office.at("runner")`journal list --state unknown --fail-if-any`).toMatchObject({ exit: 6 });
    } finally {
      await zuri.back();
    }
  });

  test("cannot change the rules alone", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const file = openDesk().write(JSON.stringify({ levels: [{ approvals: 2 }] }), "rules.json");
    await office.at("zuri")`approvals set ${file}`;
    const zuri = await renamed(office, "zuri");
    try {
      expect((await zuri.at`approvals set ${file}`).stderr).toContain("One more person is missing");
      expect(await office.at("neema")`approvals set ${file}`).toMatchObject({ exit: 0 });
    } finally {
      await zuri.back();
    }
  });
});
