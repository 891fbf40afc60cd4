import { beforeAll, expect, onTestFinished } from "vitest";
import { synchronousReplica } from "../replica.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach, timesMoved } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

/** While a server is away, connections are retried again and again. */
const takingOverMs = 120_000;
const pay = (reference: string) =>
  `transfer --from 9000112233 --to 9000112244 --amount ${70 + reference.length} --description rent --reference ${reference} --yes`;

withPostgres("a synchronous standby", (server) => {
  beforeAll(() => hire(server));

  test(
    "takes over with every order that was sent: nothing is lost, paid twice, or in need of recovery",
    {
      timeout: takingOverMs,
    },
    async ({ simulator, skip }) => {
      skip(!server.hasClients, "needs pg_basebackup of the server's version");
      const replica = await synchronousReplica(server);
      onTestFinished(() => replica.stop());
      const office = await openOffice(server, simulator);
      const { PARTNER_JOURNAL_URL: own = "" } = await office.environmentOf("runner");
      const { username, password, port, pathname } = new URL(own);
      const both = `postgres://${username}:${password}@127.0.0.1:${port},127.0.0.1:${replica.port}${pathname}?target_session_attrs=read-write`;
      const runner = office.at("runner", { environment: { PARTNER_JOURNAL_URL: both } });
      const batch = await office.submit("amina", 3);
      expect(await office.at("baraka")`batch approve ${batch} --yes`).toMatchObject({ exit: 0 });
      expect(await runner`${pay("S-1")}`).toMatchObject({ exit: 0 });
      expect((await runner`doctor --csv`).stdout).not.toContain("not synchronous");

      await server.crash();
      // The primary is gone, and the standby is still read-only.
      const nowhere = await runner`${pay("S-22")}`;
      expect(nowhere).toMatchObject({ exit: 3, stdout: "" });
      expect(nowhere.stderr).toContain("target_session_attrs");

      await replica.promote();
      expect(await runner`${pay("S-22")}`).toMatchObject({ exit: 0 });
      expect(await runner`${pay("S-1")}`).toMatchObject({ exit: 0 });
      expect(await runner`batch run --approved --yes`).toMatchObject({ exit: 0 });
      expect(await runner`journal verify`).toMatchObject({ exit: 0 });
      expect(["S-1", "S-22"].map((reference) => timesMoved(simulator, reference))).toEqual([1, 1]);
      expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);

      // After the former primary is back there are two; partner recognizes the old one.
      await server.start();
      const former = await office.at("runner")`${pay("S-333")}`;
      expect(former).toMatchObject({ exit: 3, stdout: "" });
      expect(timesMoved(simulator, "S-333")).toBe(0);

      await server.sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = ''");
      await server.sql("postgres", "SELECT pg_reload_conf()");
      // A host that used neither after the failover cannot know which one is right. With both in its address it sees two.
      const second = office.at("second", {
        environment: { PARTNER_JOURNAL_URL: both.replace("runner:pw-runner", "second:pw-second") },
      });
      const torn = await second`${pay("S-22")} --check-statement never`;
      expect(torn).toMatchObject({ exit: 3, stdout: "" });
      expect(torn.stderr).toContain("several of its servers take writes, as where a former primary came back");
      expect(torn.stderr).toContain(`127.0.0.1:${replica.port} (timeline 2)`);
      expect((await second`doctor --csv`).stdout).toContain("several of its servers take writes");
      expect(timesMoved(simulator, "S-22")).toBe(1);
    },
  );
});
