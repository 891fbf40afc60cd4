import { describe, expect, test } from "vitest";
import { listen } from "../../src/host/server/node-listener.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";

const names = "payout, collection-status, payment-status, wallets";

function shop() {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_SECRET_KEY: "c2VjcmV0" };
  const partner = (line: string, more: Readonly<Record<string, string>> = {}, host: World["host"] = {}) =>
    run(words(line), { environment: { ...environment, ...more }, host });
  const add =
    "profile add shop --environment live --base-url https://service.example/v1 --account-id acc --secret-store file";
  return { partner, add: () => partner(add, { PARTNER_ACCOUNT_ID: "acc" }) };
}

describe("extensions of a profile", () => {
  test("are set by name, and profile show says which they are and where they come from", async () => {
    const { partner, add } = shop();
    expect((await add()).exit).toBe(0);
    expect((await partner("profile set shop extensions=payout,payment-status")).exit).toBe(0);
    const shown = await partner("profile show shop --output csv", { PARTNER_SECRET_KEY: "" });
    expect(shown.stdout).toContain('extensions,"payout,payment-status",profile shop\n');
  });

  test.each(["payouts", "payout;wallets", "payout,", "PAYOUT", "payout,constructor"])(
    "are not set by %j: exit 2, and nothing is kept",
    async (value) => {
      const { partner, add } = shop();
      await add();
      const { exit, stderr } = await partner(`profile set shop extensions=${value}`);
      expect([exit, stderr]).toEqual([
        2,
        expect.stringContaining(`must name extensions, with commas between them: ${names}`),
      ]);
      const shown = await partner("profile show shop --output csv", { PARTNER_SECRET_KEY: "" });
      expect(shown.stdout).not.toContain("extensions");
    },
  );

  test("with an unknown name in PARTNER_EXTENSIONS are refused before anything is asked: exit 2", async () => {
    const { partner, add } = shop();
    await add();
    const asked: string[] = [];
    const transport = () => {
      asked.push("service");
      throw new Error("A request was sent.");
    };
    const ask = (extensions: string) =>
      partner("wallets list --retries 0", { PARTNER_EXTENSIONS: extensions, PARTNER_SECRET_KEY: "" }, { transport });
    const { exit, stdout, stderr } = await ask("payout,loans");
    expect([exit, stdout, asked]).toEqual([2, "", []]);
    expect(stderr).toContain(`PARTNER_EXTENSIONS must name extensions, with commas between them: ${names}.`);
    await ask("payout");
    expect(asked).toEqual(["service"]);
  });

  test("are the profile's own with -p NAME, and the variable is set aside", async () => {
    const { partner, add } = shop();
    await add();
    await partner("profile set shop extensions=payout");
    const environment = { PARTNER_EXTENSIONS: "wallets", PARTNER_SECRET_KEY: "" };
    const named = await partner("-p shop profile show --output csv", environment);
    expect(named.stdout).toContain("extensions,payout,profile shop\n");
    const current = await partner("profile show --output csv", { ...environment, PARTNER_PROFILE: "shop" });
    expect(current.stdout).toContain("extensions,wallets,PARTNER_EXTENSIONS\n");
  });
});

const printed = (line: string) =>
  run([...words(line), "--", process.execPath, "-p", "String(process.env.PARTNER_EXTENSIONS)"], {
    environment: { PARTNER_EXTENSIONS: "wallets" },
  });

describe("a simulator with --extensions", () => {
  test("sets the variable with run; without the flag it is empty, whatever the shell had", async () => {
    expect((await printed("simulator run --extensions")).stdout).toBe(
      "payout,collection-status,payment-status,wallets\n",
    );
    expect((await printed("simulator run")).stdout).toBe("\n");
  });

  test("names them in the ready line of start", async () => {
    const stop = new AbortController();
    const listening: NonNullable<World["host"]>["listen"] = async (options, answer) => {
      setImmediate(() => stop.abort("SIGTERM"));
      return listen(options, answer);
    };
    const world = { host: { signal: stop.signal, listen: listening } };
    const { exit, stdout } = await run(words("simulator start --extensions --output json"), world);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      extensions: ["payout", "collection-status", "payment-status", "wallets"],
    });
  });
});
