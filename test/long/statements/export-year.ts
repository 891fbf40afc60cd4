import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeFiles } from "../../../src/host/files/node-files.ts";
import { Prng } from "../../../src/simulator/prng.ts";
import { Day } from "../../../src/values/time/day.ts";
import { mortalFiles } from "../../commands/mortal-files.ts";
import { temporaryFolder } from "../../memory-host.ts";
import { run, words } from "../../partner.ts";
import type { Habits } from "./late-bank.ts";
import { lateBank } from "./late-bank.ts";

/** What goes wrong on the side of the export. */
export interface Mishaps {
  /** How many days in a hundred have a kill, no run at all, a wrong clock, or a service that is down. */
  readonly killPercent: number;
  readonly gapPercent: number;
  readonly clockPercent: number;
  readonly downPercent: number;
}

/** A year of exports. */
export interface Year {
  readonly wrong: readonly string[];
  readonly exits: Readonly<Record<number, number>>;
  readonly restarts: number;
}

const firstDay = Day.parse("2026-01-01") ?? new Day(0);
const yearDays = 365;
/** After so many days with nothing hidden, an operator accepts the statement as it is. */
const patienceDays = 5;
/** The last days, on which all late rows appear and nothing goes wrong. */
const quietDays = 80;
const killMaxOperation = 40;
const clockErrors = [-4000, -400, -40, -3, 2, 33, 400, 2000];
const header = "tranRefNo,narration,balance\n";

/** Exports every day for a year, and reports the differences between files and statements. */
export async function exportYear(seed: number, habits: Habits, mishaps: Mishaps): Promise<Year> {
  const bank = await lateBank(seed, firstDay, habits);
  const draw = Prng.of(seed, "mishaps");
  const chance = (percent: number) => draw.integer(0, 999) < percent * 10;
  const folder = temporaryFolder();
  const environment = {
    PARTNER_BASE_URL: bank.origin,
    PARTNER_ENVIRONMENT: "sandbox",
    PARTNER_ACCOUNT_ID: "a",
    PARTNER_SECRET_KEY: "secret-key",
    PARTNER_STATE_DIR: join(folder, "state"),
  };
  const line = `wallet statement 42 --since-last --start-date ${firstDay.toString()} --retries 0 --columns tranRefNo,narration,balance --save ${folder}/w-{month}.csv`;
  const wrong: string[] = [];
  const exits: Record<number, number> = {};
  let [restarts, refusals] = [0, 0];
  const linesOf = (month: string) => {
    const file = join(folder, `w-${month}.csv`);
    if (!existsSync(file)) return [];
    const text = readFileSync(file, "utf8");
    if (!text.startsWith(header)) wrong.push(`${month} has no header`);
    return text.slice(header.length).split("\n").slice(0, -1);
  };
  const exportOn = async (day: Day, flags = "", operation?: number) => {
    const files = operation === undefined ? nodeFiles() : mortalFiles(operation);
    const now = Date.parse(`${day.toString()}T09:00:00Z`);
    const ended = await run(words(`${line} ${flags}`), { environment, now, host: { files } });
    exits[ended.exit] = (exits[ended.exit] ?? 0) + 1;
    return ended;
  };
  const compare = (when: Day, isWhole: boolean) => {
    const months = new Set([...monthsTo(when), ...exportedMonths(folder)]);
    for (const month of months) {
      const [has, should] = [linesOf(month), bank.statementOf(month)];
      if (new Set(has).size !== has.length) wrong.push(`${when.toString()}: ${month} has rows twice`);
      const known = new Set(should.flat());
      for (const row of has) if (!known.has(row)) wrong.push(`${when.toString()}: ${month} has ${row}`);
      const there = new Set(has);
      const lacking = isWhole ? should.filter((versions) => !versions.some((row) => there.has(row))) : [];
      for (const [row] of lacking) wrong.push(`${when.toString()}: ${month} lacks ${row}`);
    }
  };
  for (let days = 0; days < yearDays; days++) {
    const day = firstDay.addDays(days);
    const isQuiet = days >= yearDays - quietDays;
    bank.live(day, isQuiet);
    if (!isQuiet && chance(mishaps.gapPercent)) continue;
    const isWrong = !isQuiet && chance(mishaps.clockPercent);
    const clock = isWrong ? day.addDays(clockErrors[draw.integer(0, clockErrors.length - 1)] ?? 0) : day;
    bank.isDown = !isQuiet && chance(mishaps.downPercent);
    const operation = !isQuiet && chance(mishaps.killPercent) ? draw.integer(0, killMaxOperation) : undefined;
    const flags = refusals > patienceDays ? "--restart" : "";
    const before = snapshot(folder);
    const ended = await exportOn(clock, flags, operation);
    const isHealthy = !bank.isDown && operation === undefined;
    bank.isDown = false;
    if (ended.exit === 9 && isHealthy && snapshot(folder) !== before && !ended.stderr.includes("cut short"))
      wrong.push(`${day.toString()}: exit 9 touched a file`);
    if (isHealthy && ended.exit !== 0 && ended.exit !== 9)
      wrong.push(`${day.toString()}: ${ended.exit} ${ended.stderr}`);
    const isClockFirst = isWrong && clock.compare(firstDay) < 0;
    if (isHealthy && ended.exit === 9 && bank.hidden() === 0 && !bank.isOdd && !isWrong)
      wrong.push(`${day.toString()}: ${ended.stderr}`);
    if (flags !== "" && ended.exit === 0) restarts += 1;
    if (ended.exit === 0) refusals = 0;
    else if (ended.exit === 9 && bank.hidden() === 0 && isHealthy && !isWrong) refusals += 1;
    if (ended.exit === 0 && !isClockFirst) compare(day, false);
    if (wrong.length > 0) return { wrong, exits, restarts };
  }
  const last = firstDay.addDays(yearDays);
  bank.live(last, true);
  const ended = await exportOn(last);
  if (ended.exit === 9 && bank.isOdd) {
    restarts += 1;
    await exportOn(last, "--restart");
  } else if (ended.exit !== 0) wrong.push(`at last: ${ended.stderr}`);
  compare(last, true);
  return { wrong, exits, restarts };
}

function monthsTo(day: Day): string[] {
  const months: string[] = [];
  for (let month = firstDay; month.compare(day) <= 0; month = month.lastOfMonth().addDays(1))
    months.push(month.toString().slice(0, 7));
  return months;
}

function exportedMonths(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => /^w-(.*)\.csv$/.exec(name)?.[1] ?? []);
}

function snapshot(folder: string): string {
  return exportedMonths(folder)
    .toSorted()
    .map((month) => `${month}\n${readFileSync(join(folder, `w-${month}.csv`), "utf8")}`)
    .join("\n");
}
