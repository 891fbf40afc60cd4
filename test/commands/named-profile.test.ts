import { describe, expect, onTestFinished } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { documented, documentedBody } from "../contract/webhook-bytes.ts";
import { memoryHost } from "../memory-host.ts";
import { now } from "../simulated.ts";
import type { Shell } from "./shell.ts";
import { test as atShell } from "./shell.ts";

/** A shell with a profile `shop` of one service, and variables that name the account of another one. */
interface TwoAccounts extends Shell {
  readonly variables: Record<string, string>;
  /** How much left the largest wallet of each account. */
  readonly left: () => { readonly shop: string; readonly other: string };
}

const test = atShell.extend<{ readonly two: TwoAccounts }>({
  two: async ({ shell, simulator }, use) => {
    const other = await startSimulator(memoryHost({ now }));
    onTestFinished(() => other.stop());
    const { secretKey, accessToken, accountId, baseUrl, accountBaseUrl } = simulator;
    const at = `--environment simulator --base-url ${baseUrl} --account-base-url ${accountBaseUrl}`;
    const stdin = JSON.stringify({ secretKey, accessToken, webhookKey: documented.key });
    const add = `profile add shop ${at} --account-id ${accountId} --secrets-from -`;
    if ((await shell.type(add, { stdin })).exit !== 0) throw new Error("The profile could not be added");
    const before = [simulator, other].map((each) => richest(each).balance);
    await use({
      ...shell,
      variables: set(environmentFor(other)),
      left: () => {
        const [shop = "", theirs = ""] = [simulator, other].map((each, at) =>
          (before[at] ?? richest(each).balance).subtract(richest(each).balance).toString(),
        );
        return { shop, other: theirs };
      },
    });
  },
});

const richest = ({ world }: RunningSimulator) => world.wallet("9000112233");
const set = (environment: Record<string, string>) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
const transfer = (amount: number, reference: string) =>
  `transfer --from 9000112233 --to 9000112244 --amount ${amount} --description x --reference ${reference} --yes`;
const profilesOf = async (shell: Shell, environment: Record<string, string> = {}) =>
  (await shell.type("journal export --csv --columns reference,profile --no-header", { environment })).stdout;

const broken: readonly [string, Record<string, string>][] = [
  ["half a pair, the id", { PARTNER_ACCOUNT_ID: "other" }],
  ["half a pair, the key", { PARTNER_SECRET_KEY: "key" }],
  ["both forms", { PARTNER_ACCESS_TOKEN: "token", PARTNER_ACCESS_TOKEN_FILE: "/nowhere/token" }],
  ["a file that is not there", { PARTNER_BASE_URL_FILE: "/nowhere/url" }],
  ["an address that is none", { PARTNER_BASE_URL: "nonsense" }],
  ["an environment that is none", { PARTNER_ENVIRONMENT: "prod" }],
  ["a token with a line break", { PARTNER_ACCESS_TOKEN: "a\nb" }],
  ["a webhook key that is none", { PARTNER_WEBHOOK_KEY_FILE: "/nowhere/key" }],
];
const linesOf = ({ accounts }: RunningSimulator) => [
  "wallets list -p shop",
  "wallet balance 9000112233 --profile=shop",
  `account balance ${accounts[0]} -p shop`,
  "profile show shop",
  "profile show -p shop",
  "profile check shop",
  "doctor --strict -p shop",
  "journal list -p shop",
  `${transfer(1, "B")} -p shop --dry-run`,
];
const note =
  "Variables set aside, because profile shop was named: PARTNER_BASE_URL, PARTNER_ACCOUNT_BASE_URL, PARTNER_ENVIRONMENT, PARTNER_ACCOUNT_ID, PARTNER_SECRET_KEY, PARTNER_ACCESS_TOKEN, PARTNER_WEBHOOK_KEY\n";

describe("--profile NAME selects the whole account", () => {
  test("and money leaves that account; one note names the ignored variables", async ({ two }) => {
    const paid = await two.type(`${transfer(1000, "A")} -p shop`, { environment: two.variables });
    expect(paid.exit).toBe(0);
    expect(paid.stderr.split("Variables set aside")).toHaveLength(2);
    expect(paid.stderr).toContain(note);
    expect(two.left()).toEqual({ shop: "1000.00", other: "0.00" });
    expect(await profilesOf(two)).toBe("A,shop\n");
  });

  test("and the note appears once even when a person is asked for missing values", async ({ two }) => {
    const line = "transfer --from 9000112233 --to 9000112244 --amount 1000 --reference A -p shop";
    const terminal = { stdin: true, stdout: true, stderr: true };
    const paid = await two.type(line, { environment: two.variables, terminal, answers: ["rent", true], now });
    expect(paid.exit).toBe(0);
    expect(paid.stderr.split("Variables set aside")).toHaveLength(2);
    expect(two.left()).toEqual({ shop: "1000.00", other: "0.00" });
  });

  test.for(broken)("and a broken variable is ignored: %s", async ([, environment], { two, simulator }) => {
    const names = Object.keys(environment).join(", ");
    for (const line of linesOf(simulator)) {
      const ran = await two.type(line, { environment });
      expect({ line, exit: ran.exit }).toEqual({ line, exit: 0 });
      expect(ran.stderr).toContain(`Variables set aside, because profile shop was named: ${names}\n`);
    }
  });

  test("and --quiet drops the note; an empty variable counts as unset", async ({ two }) => {
    const quiet = await two.type("wallets list -p shop --quiet", { environment: two.variables });
    expect(quiet).toMatchObject({ exit: 0, stderr: "" });
    const unset = await two.type("wallets list -p shop", { environment: { PARTNER_ACCOUNT_ID: "" } });
    expect(unset.stderr).not.toContain("set aside");
  });

  test("and profile show NAME and profile check NAME behave like --profile NAME", async ({ two }) => {
    const asUsed = (await two.type("profile show shop --csv")).stdout;
    expect((await two.type("profile show shop --csv", { environment: two.variables })).stdout).toBe(asUsed);
    expect((await two.type("profile show -p shop --csv", { environment: two.variables })).stdout).toBe(asUsed);
    expect(asUsed).not.toContain("PARTNER_");
    const wrong = { ...two.variables, PARTNER_SECRET_KEY: "wrong" };
    expect((await two.type("profile check shop", { environment: wrong })).exit).toBe(0);
    expect((await two.type("profile check", { environment: wrong })).exit).toBe(3);
  });

  test("and webhooks are verified with the key of that profile", async ({ two }) => {
    const world = { environment: { PARTNER_WEBHOOK_KEY: "YW5vdGhlci1rZXktb2YtMTY=" }, stdin: documentedBody };
    const named = await two.type("webhook verify -p shop", world);
    expect(named).toMatchObject({ exit: 0, stdout: `${documented.payload}\n` });
    expect(named.stderr).toContain("was named: PARTNER_WEBHOOK_KEY\n");
    expect((await two.type("webhook verify", world)).exit).toBe(9);
  });

  test("and the hint for a missing secret does not suggest a variable", async ({ two }) => {
    const { stdin } = { stdin: JSON.stringify({ secretKey: "key" }) };
    await two.type(
      "profile add bare --environment sandbox --base-url http://127.0.0.1:1 --account-id b --secrets-from -",
      {
        stdin,
      },
    );
    const lacking = await two.type("account balance 1 -p bare", { environment: { PARTNER_ACCESS_TOKEN: "token" } });
    expect(lacking.exit).toBe(3);
    expect(lacking.stderr).toContain("Profile bare has no access token");
    expect(lacking.stderr).not.toContain("or set PARTNER_ACCESS_TOKEN");
    const unkeyed = await two.type("webhook verify -p bare", { stdin: documentedBody });
    expect(unkeyed.stderr).toContain("The webhook key can come from --key-file FILE, too.");
  });

  test("but the shared journal's address still comes from PARTNER_JOURNAL_URL", async ({ two }) => {
    const ran = await two.type(`${transfer(1, "C")} -p shop`, { environment: { PARTNER_JOURNAL_URL: "nonsense" } });
    expect(ran).toMatchObject({ exit: 3, stdout: "" });
    expect(ran.stderr).toContain("PARTNER_JOURNAL_URL");
    expect(ran.stderr).not.toContain("set aside");
  });
});

describe("with PARTNER_PROFILE the other variables override the profile", () => {
  test("and money leaves their account, no profile is recorded, and the profile's limits still apply", async ({
    two,
  }) => {
    await two.type("profile set shop limit.transfer=1000");
    const environment = { ...two.variables, PARTNER_PROFILE: "shop" };
    const paid = await two.type(transfer(1000, "A"), { environment });
    expect(paid.exit).toBe(0);
    expect(paid.stderr).toContain(
      "This is not the account of profile shop: PARTNER_BASE_URL and PARTNER_ACCOUNT_ID count first. The limits of the profile still hold. To use the profile: --profile shop\n",
    );
    const dry = await two.type(`${transfer(1000, "B")} --dry-run`, { environment });
    expect(dry.stderr).toContain("This is not the account of profile shop");
    expect(await two.type(transfer(1001, "B"), { environment })).toMatchObject({ exit: 2, stdout: "" });
    expect(two.left()).toEqual({ shop: "0.00", other: "1000.00" });
    expect(await profilesOf(two, environment)).toBe("A,\n");
  });

  test("but an order belongs to the profile when they name the profile's own account", async ({ two, simulator }) => {
    const { baseUrl, accountId: PARTNER_ACCOUNT_ID, secretKey: PARTNER_SECRET_KEY } = simulator;
    const pair = { PARTNER_ACCOUNT_ID, PARTNER_SECRET_KEY };
    const slashed = {
      ...pair,
      PARTNER_BASE_URL: `${baseUrl.replace("127.0.0.1", "LOCALHOST")}/`,
      PARTNER_PROFILE: "shop",
      PARTNER_ENVIRONMENT: "simulator",
    };
    for (const [reference, environment] of Object.entries({ A: pair, B: slashed })) {
      const paid = await two.type(transfer(1, reference), { environment });
      expect(paid.exit).toBe(0);
      expect(paid.stderr).not.toContain("not the account of profile");
    }
    expect(await profilesOf(two)).toBe("A,shop\nB,shop\n");
  });

  test("and another account id at the same address is another account", async ({ two }) => {
    const environment = { PARTNER_ACCOUNT_ID: "another", PARTNER_SECRET_KEY: "key" };
    const tried = await two.type(transfer(1, "A"), { environment });
    expect(tried.stderr).toContain("This is not the account of profile shop: PARTNER_ACCOUNT_ID counts first. To use");
    expect(await profilesOf(two, environment)).not.toContain("shop");
  });

  test("and variables without a profile have no limits, as profile show says", async ({ two }) => {
    const shown = await two.type("profile show --csv", { environment: two.variables });
    expect(shown.stdout).toContain("\nlimits,none,variables without a profile have no limits\n");
    expect((await two.type("profile show --csv")).stdout).not.toContain("limits,none");
  });
});
