import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { timesMoved } from "./batch-service.ts";
import type { Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

const pay = (office: Office, reference: string, amount: number) =>
  office.at(
    "runner",
  )`transfer --from 9000112233 --to 9000112244 --amount ${amount} --description d --reference ${reference} --yes`;

withPostgres("a shared journal restored to before a decision", (server) => {
  beforeAll(() => hire(server));

  test("sends nothing from a host that has seen the decision until journal recover", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    expect((await pay(office, "S-1", 7)).exit).toBe(0);
    const batch = await office.submit("amina", 2);
    await office.submit("musa", 1, "reference,amount\nM-1,11\n");
    const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("runner");
    const name = new URL(address).pathname.slice(1);
    await server.sql("postgres", `CREATE DATABASE ${name}_dump TEMPLATE ${name}`);
    await office.at("baraka")`batch reject ${batch} --reason wrong --yes`;
    // The history of orders does not grow, but the host has now seen the rejection.
    expect((await pay(office, "S-1", 7)).exit).toBe(0);
    await server.sql("postgres", `DROP DATABASE ${name}`);
    await server.sql("postgres", `CREATE DATABASE ${name} TEMPLATE ${name}_dump`);
    const refused = await pay(office, "S-2", 9);
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toContain(
      "This journal is older than what was sent from here: it has 4 lines about batches and rules, and 5 were seen here.",
    );
    expect(refused.stderr).toContain("partner journal recover");
    expect(await office.at("runner")`journal verify`).toMatchObject({ exit: 3, stdout: "" });
    expect(timesMoved(simulator, "S-2")).toBe(0);
    expect(await office.at("runner")`journal recover`).toMatchObject({ exit: 0 });
    expect((await pay(office, "S-2", 9)).exit).toBe(0);
    expect(timesMoved(simulator, "S-2")).toBe(1);
    // A different decision in place of the one that was seen.
    await office.at("baraka")`batch reject ${batch} --reason wrong --yes`;
    expect((await pay(office, "S-1", 7)).exit).toBe(0);
    await office.root(`SET session_replication_role = replica; UPDATE partner.facts SET said_by = 'neema', seal =
      encode(sha256(convert_to(concat_ws(E'\\n', number, after_event, step, at, 'neema', coalesce(batch, ''), body), 'UTF8')), 'hex')
      WHERE step = 'reject'`);
    const other = await pay(office, "S-3", 12);
    expect(other).toMatchObject({ exit: 3, stdout: "" });
    expect(other.stderr).toContain("line 5 of those about batches and rules differs from the one seen before");
  });
});
