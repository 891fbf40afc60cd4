import { dayInDarEsSalaam } from "../../values/time/day.ts";
import { Numeral } from "../../values/json.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import { demoAccounts, demoWallets } from "./accounts.ts";
import { writeDay } from "./days.ts";
import { DemoPages } from "./pages.ts";
import { writeOddities } from "./oddities.ts";
import { Prng } from "../prng.ts";
import type { Seed } from "./seed.ts";

/**
 * A plausible business: last month and this one up to now, a few hundred rows, with every awkward thing that a
 * statement can contain. The same seed number and day give the same rows; later in the day there are more.
 */
export function demoSeed(seedNumber: number, nowMs: number): Seed {
  const key = `${seedNumber} ${wallTime(nowMs)}`;
  if (latest?.key !== key) latest = { key, seed: writeDemo(seedNumber, nowMs) };
  return latest.seed;
}

/** Cached: each simulator of a test run asks for the same business. Its rows are copied into the books. */
let latest: { readonly key: string; readonly seed: Seed } | undefined;

function writeDemo(seedNumber: number, nowMs: number): Seed {
  const today = dayInDarEsSalaam(nowMs);
  const firstDay = today.firstOfMonth().addDays(-1).firstOfMonth();
  const pages = new DemoPages();
  for (let day = firstDay; day.compare(today) <= 0; day = day.addDays(1)) {
    writeDay(pages, Prng.of(seedNumber, day.toString()), day);
  }
  writeOddities(pages, firstDay);
  return seedOf((accountNo) => pages.upTo(accountNo, wallTime(nowMs)));
}

/** The demo's accounts before anything happened: no rows, no money. */
export function emptySeed(): Seed {
  return {
    wallets: demoWallets.map((wallet) => ({ ...wallet, opening: new Numeral("0"), entries: [] })),
    accounts: demoAccounts.map((account) => ({ ...account, opening: new Numeral("0"), entries: [] })),
  };
}

function seedOf(rowsOf: (accountNo: string) => Seed["wallets"][number]["entries"]): Seed {
  return {
    wallets: demoWallets.map((wallet) => ({
      ...wallet,
      opening: new Numeral(wallet.opening),
      entries: rowsOf(wallet.accountNo),
    })),
    accounts: demoAccounts.map((account) => ({
      ...account,
      opening: new Numeral(account.opening),
      entries: rowsOf(account.accountNo),
    })),
  };
}
