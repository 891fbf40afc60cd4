import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { freePort } from "../free-port.ts";
import { start } from "../host/servers.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { test } from "../simulated.ts";
import { floodKey } from "../webhooks/flood.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach, openDesk, payouts, transfers } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";
import { environmentAt } from "./served.ts";

// Exit codes promised by the help that need special circumstances.

const terminal = { stdin: true, stderr: true };
/** A disk without room for the result. */
const full = "--csv --save /dev/full";

withPostgres("with a shared journal", (server) => {
  beforeAll(() => hire(server));

  test("faults in a batch end with 2, and nothing is submitted", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const faulty = openDesk().write("reference,amount\nR-1,5\nR-1,x\n");
    const { exit, stdout, stderr } = await office.at("amina")`batch submit ${faulty} ${payouts}`;
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain("line 3");
    const sound = openDesk().write(transfers(2));
    expect(await office.at("amina")`batch submit ${sound} ${payouts} --expect-count 3`).toMatchObject({ exit: 2 });
    expect(await office.root("SELECT * FROM partner.batches")).toEqual([]);
  });

  test("an unknown batch ends with 4, whatever is done with it", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    for (const id of ["0123456789abcdef", "nonsense"]) {
      for (const line of [`batch approve ${id} --yes`, `batch reject ${id} --reason no --yes`])
        expect(await office.at("baraka")`${line}`).toMatchObject({ exit: 4, stdout: "" });
      expect(await office.at("runner")`batch run --approved ${id} --yes`).toMatchObject({ exit: 4, stdout: "" });
    }
  });

  test("answering no ends with 130, a missing answer with 2; nothing is decided or sent", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const [one, two] = [await office.submit("amina", 2), await office.submit("amina", 3)];
    const no = { terminal, answers: [false] };
    const rejecting = await office.at("baraka", no)`batch reject ${one} --reason no`;
    expect(rejecting).toMatchObject({ exit: 130, stdout: "" });
    expect(rejecting.stderr).toContain("Nothing was decided.");
    expect(await office.at("baraka")`batch reject ${one} --reason no`).toMatchObject({ exit: 2, stdout: "" });
    expect(await office.at("baraka")`batch reject ${one} --yes`).toMatchObject({ exit: 2, stdout: "" });
    expect(await office.at("baraka", no)`batch approve ${one}`).toMatchObject({ exit: 130, stdout: "" });
    const { stdout: listed } = await office.at("baraka")`batch list --csv --columns state --no-header`;
    expect(listed).toBe("submitted\nsubmitted\n");
    await office.at("baraka")`batch approve ${two} --yes`;
    const sending = await office.at("runner", no)`batch run --approved`;
    expect(sending).toMatchObject({ exit: 130, stdout: "" });
    expect(sending.stderr).toMatch(new RegExp(`None of batch ${two} was sent\\.\n$`));
    expect(await office.at("runner")`batch run --approved`).toMatchObject({ exit: 2, stdout: "" });
    expect(movedEach(simulator, 3)).toEqual([0, 0, 0]);
  });

  test("--follow refuses --save and --sort, since it has no complete result", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    for (const flags of ["--save all.csv", "--sort batch"]) {
      const { exit, stderr } = await office.at("runner")`batch run --approved --follow --yes ${flags}`;
      expect(exit).toBe(2);
      expect(stderr).toContain("--follow has no end");
    }
  });

  test("a full disk behind the result ends with 5, after the action was done", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const file = openDesk().write(transfers(2));
    expect(await office.at("amina")`batch submit ${file} ${payouts} ${full}`).toMatchObject({ exit: 5, stdout: "" });
    const { stdout } = await office.at("amina")`batch list --json`;
    const [{ batch }] = JSON.parse(stdout);
    expect(await office.at("baraka")`batch list ${full}`).toMatchObject({ exit: 5, stdout: "" });
    expect(await office.at("baraka")`batch approve ${batch} --yes ${full}`).toMatchObject({ exit: 5, stdout: "" });
    expect(await office.at("baraka")`batch reject ${batch} --reason no --yes ${full}`).toMatchObject({ exit: 5 });
    expect(JSON.parse((await office.at("baraka")`batch list --json`).stdout)).toMatchObject([{ state: "rejected" }]);
    expect(await office.at("owner")`journal migrate ${full}`).toMatchObject({ exit: 5, stdout: "" });
    expect(await office.at("auditor")`journal verify ${full}`).toMatchObject({ exit: 5, stdout: "" });
  });

  test("journal copy ends with 9 when a copied row was changed; both journals stay as they are", async ({
    partnerIn,
  }) => {
    const folder = temporaryFolder();
    const local = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder } });
    await local`transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference R-1 --yes`;
    const address = await server.newDatabase();
    const both = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder, PARTNER_JOURNAL_URL: address } });
    await both`journal migrate`;
    expect(await both`journal copy`).toMatchObject({ exit: 0 });
    await server.sql(
      address,
      "SET session_replication_role = replica; UPDATE partner.events SET at = at + 1000 WHERE number = 2",
    );
    const states = async () => [
      (await local`journal export --events --json`).stdout,
      await server.sql(address, "SELECT * FROM partner.events ORDER BY number"),
      await server.sql(address, "SELECT * FROM partner.movements"),
    ];
    const before = await states();
    const { exit, stdout, stderr } = await both`journal copy`;
    expect({ exit, stdout }).toEqual({ exit: 9, stdout: "" });
    expect(stderr).toContain("Row 2 of the events");
    expect(await states()).toEqual(before);
  });
});

test.for([
  "batch list",
  "batch submit payouts.csv",
  "batch approve 0123456789abcdef --yes",
  "batch reject 0123456789abcdef --reason no --yes",
  "journal migrate",
  "journal verify",
  "journal list",
  "webhook inbox list",
  "webhook inbox prune --older-than 400d",
])("TERM ends %s with 143 while the database does not answer", async (line) => {
  const stop = new AbortController();
  const port = await start(createServer(() => stop.abort("SIGTERM")));
  const environment = { PARTNER_JOURNAL_URL: `postgres://amina:secret1@127.0.0.1:${port}/partner` };
  const { exit, stdout, stderr } = await run(words(line), { environment, host: { signal: stop.signal } });
  expect({ exit, stdout }).toEqual({ exit: 143, stdout: "" });
  expect(stderr).toContain("Stopped by a TERM signal.");
});

describe("a damaged inbox", () => {
  const folder = temporaryFolder();
  const environment = {
    PARTNER_CONFIG_DIR: folder,
    PARTNER_STATE_DIR: join(folder, "state"),
    PARTNER_WEBHOOK_KEY: floodKey,
  };
  beforeAll(() => {
    mkdirSync(join(folder, "state"), { mode: 0o700 });
    writeFileSync(join(folder, "state", "inbox.db"), "no database ".repeat(1000), { mode: 0o600 });
  });

  test.for(["list", "show A", "replay A", "prune --older-than 400d"])("ends webhook inbox %s with 3", async (line) => {
    const { exit, stdout, stderr } = await run(words(`webhook inbox ${line}`), { environment });
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
    expect(stderr).toContain("is damaged");
  });
});

test.for(["list --state lost", "show", "prune --older-than soon", "replay"])("inbox %s ends with 2", async (line) => {
  expect(await run(words(`webhook inbox ${line}`))).toMatchObject({ exit: 2, stdout: "" });
});

test("journal verify and journal copy end with 2 when an argument is missing or invalid", async () => {
  expect(await run(words("journal verify --head 12"))).toMatchObject({ exit: 2, stdout: "" });
  expect(await run(words("journal copy"))).toMatchObject({ exit: 2, stdout: "" });
  expect(await run(words("journal copy --to nowhere"))).toMatchObject({ exit: 2, stdout: "" });
});

describe("reconcile", () => {
  const line = words("reconcile --account 9000112233 --month 2026-02");

  test("ends with 3 without a profile", async () => {
    expect(await run(line)).toMatchObject({ exit: 3, stdout: "" });
  });

  test("ends with 4 for an unknown account", async ({ partner }) => {
    expect(await partner`reconcile --account 42 --month 2026-02`).toMatchObject({ exit: 4, stdout: "" });
  });

  test("ends with 5 when the service cannot be reached", async () => {
    const environment = environmentAt(`http://127.0.0.1:${await freePort()}`);
    expect(await run(line, { environment })).toMatchObject({ exit: 5, stdout: "" });
  });

  test("ends with 143 when TERM arrives while the statement is read", async () => {
    const stop = new AbortController();
    const port = await start(createServer(() => stop.abort("SIGTERM")));
    const environment = environmentAt(`http://127.0.0.1:${port}`);
    const ended = await run([...line, "--retries", "0"], { environment, host: { signal: stop.signal } });
    expect(ended).toMatchObject({ exit: 143, stdout: "" });
  });
});

test("webhook send ends with 143 on TERM", async () => {
  const stop = new AbortController();
  const port = await start(createServer(() => stop.abort("SIGTERM")));
  const environment = { PARTNER_WEBHOOK_KEY: floodKey };
  const ended = await run(words(`webhook send http://127.0.0.1:${port}/`), {
    environment,
    host: { signal: stop.signal },
  });
  expect(ended.exit).toBe(143);
});
