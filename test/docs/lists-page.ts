import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../../scripts/docs/tables.ts";
import { listen } from "../../src/host/server/node-listener.ts";
import { environmentFor } from "../../src/simulator/ready.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import type { World } from "../memory-host.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { run, words } from "../partner.ts";

/** Noon in Dar es Salaam, at the end of a quarter. */
const now = Date.UTC(2026, 2, 31, 9, 0, 0);
const [columns, rows] = [80, 24];

/** What a column can say about its row, in the order of the page. */
const roles = ["when", "what", "who", "money", "state"] as const;

/** A list, and the heading of the column for each fact. */
interface ShownList {
  readonly command: string;
  /** Why the page has no picture of it; another test covers it. */
  readonly unpictured?: string;
  readonly shows: Readonly<Partial<Record<(typeof roles)[number], string>>>;
}

/** Lists that need a shared journal. */
export const sharedLists: readonly ShownList[] = [
  {
    command: "batch list",
    shows: { when: "submitted at", what: "file", who: "submitted by", state: "state" },
    unpictured: "needs a shared journal",
  },
  {
    command: "batch show BATCH",
    shows: { what: "reference", who: "from, to", money: "amount (TZS)" },
    unpictured: "needs a shared journal",
  },
];

/** Every list. `BATCH` is a batch's id. */
const lists: readonly ShownList[] = [
  { command: "wallets list", shows: { what: "name", who: "account", money: "balance" } },
  {
    command: "wallet balance --all",
    shows: { what: "name (below)", who: "account", money: "available, current", state: "status (below)" },
  },
  {
    command: "wallet statement 9000112233 --date 2026-03-30",
    shows: { when: "value date", what: "narration", money: "amount (TZS), balance (TZS)" },
  },
  {
    command: "account statement 0150387654321 --date 2026-03-30",
    shows: { when: "value date", what: "narration", money: "amount (TZS), available (TZS)" },
  },
  {
    command: "journal list",
    shows: { when: "time", what: "kind, reference (below)", who: "from → to", money: "amount (TZS)", state: "state" },
  },
  {
    command: "batch report BATCH",
    shows: { what: "reference", who: "receiver", money: "amount, currency", state: "state" },
  },
  {
    command: "ledger status",
    shows: { who: "account", money: "closing, live", state: "state", when: "from (below), to (below)" },
  },
  {
    command: "ledger statement 9000112233 --date 2026-03-30",
    shows: { when: "value date", what: "narration", money: "amount (TZS), balance (TZS)" },
  },
  {
    command: "report cash --account 9000112233 --date 2026-03-30",
    shows: { who: "account", money: "opening, in, out, fees, closing, currency" },
  },
  {
    command: "report flow --account 9000112233 --date 2026-03-30",
    shows: { when: "period", what: "kind", money: "in, out, net, currency" },
  },
  {
    command: "report fees --date 2026-03-30",
    shows: { who: "account", what: "kind", money: "sum, amounts, currency" },
  },
  { command: "report customers --date 2026-03-30", shows: { who: "name", money: "sum, currency" } },
  {
    command: "report open --account 9000112233",
    shows: { when: "since", what: "reference", who: "account", money: "amount", state: "state" },
  },
  {
    command: "report compare 2026-02 2026-03 --account 9000112233",
    shows: { who: "account", what: "figure", money: "2026-02, 2026-03, difference, currency" },
  },
  {
    command: "reconcile --account 9000112244 --date 2026-03-31",
    shows: { when: "date", what: "reference", money: "statement (TZS), book (TZS)", state: "class" },
  },
  {
    command: "webhook inbox list",
    shows: { when: "received", what: "reference", who: "account", money: "amount, currency", state: "state" },
  },
  { command: "institutions", shows: { what: "name" } },
  { command: "profile list", shows: { what: "profile", state: "current" } },
  { command: "profile show shop", shows: { what: "name, value" } },
  { command: "profile check", shows: { what: "group, credentials", state: "result" } },
  {
    command: "doctor",
    shows: { what: "check, detail", state: "result" },
    unpictured: "is about the machine that it runs on",
  },
  ...sharedLists,
];

/** A list on a terminal of 80 columns, as it was printed. */
interface Picture extends ShownList {
  readonly text: string;
}

/** The page with every list on a terminal. The same program makes the same page. */
export async function listsPage(taken: Promise<readonly Picture[]> = takePictures()): Promise<string> {
  const pictures = await taken;
  const head = ["list", ...roles];
  const lines = pictures.map(({ command, shows }) => [
    `\`${named(command)}\``,
    ...roles.map((role) => shows[role] ?? ""),
  ]);
  const blocks = pictures
    .filter(({ unpictured }) => unpictured === undefined)
    .map(({ command, text }) => `## ${named(command)}\n\n\`\`\`text\n${framed(command, text)}\`\`\`\n`);
  const others = pictures.flatMap(({ command, unpictured }) =>
    unpictured === undefined ? [] : `- \`${named(command)}\` ${unpictured}.\n`,
  );
  return `<!-- Made by \`npm run lists\` from runs against the simulator. Change src, not this page. -->

# Lists on a terminal

How every list looks on a terminal of ${columns} columns and ${rows} lines. Each shows one column of each of its roles. Details are left out
first. Then a currency that all rows share moves into the heading, and texts are cut or wrapped. Amounts are never cut.

${table(head, lines)}
${blocks.join("\n")}
## Without a picture

${others.join("")}`;
}

/** Headings of the table that are missing in the picture, and lines that are too long: none when the page is true. */
export async function untrueIn(pictures: Promise<readonly Picture[]>): Promise<readonly string[]> {
  return (await pictures).flatMap(({ command, shows, text, unpictured }) => {
    // Nothing was printed when the list needs the set-up of a test of its own.
    if (text === "") return [];
    const [headings = "", rest = ""] = text.split(/─\n/);
    const missing = Object.values(shows).flatMap((shown) =>
      shown.split(", ").filter((heading) => {
        const below = heading.replace(" (below)", "");
        return below === heading ? !headings.includes(heading) : !rest.includes(` ${below} `);
      }),
    );
    // The names of this machine's folders can be longer than a line, and are never cut.
    const long = unpictured === undefined ? text.split("\n").filter((line) => line.length > columns) : [];
    return [...missing, ...long].map((wrong) => `${command}: ${wrong}`);
  });
}

function named(command: string): string {
  return command.replace("BATCH", "ID");
}

/** The command as typed, and as much of its output as the terminal has lines for. */
function framed(command: string, text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines.length < rows ? lines : [...lines.slice(0, rows - 2), `(${lines.length - rows + 2} more lines)`];
  return [`$ partner ${named(command)}`, ...shown].map((line) => `${line}\n`).join("");
}

/** Runs every list at a terminal, in a world with something to list. */
export async function takePictures(): Promise<readonly Picture[]> {
  const simulator = await startSimulator(memoryHost({ now }));
  try {
    const environment = { ...environmentFor(simulator), PARTNER_CONFIG_DIR: temporaryFolder() };
    const type = (line: string, world: World = {}) => run(words(line), { now, environment, ...world });
    const batch = await work(type);
    const terminal = { stdout: true };
    const pictures: Picture[] = [];
    for (const list of lists) {
      if (sharedLists.includes(list)) {
        pictures.push({ ...list, text: "" });
        continue;
      }
      const { stdout } = await type(list.command.replace("BATCH", batch), { terminal, columns });
      pictures.push({ ...list, text: stdout });
    }
    return pictures;
  } finally {
    await simulator.stop();
  }
}

/** Orders of several kinds, a batch, a profile and an event; resolves to the batch's id. */
async function work(type: (line: string, world?: World) => Promise<Run>): Promise<string> {
  const done = async (line: string, world?: World) => {
    const ended = await type(line, world);
    if (ended.exit !== 0) throw new Error(`${line} ended with ${ended.exit}: ${ended.stderr}`);
    return ended;
  };
  const file = join(temporaryFolder(), "salaries.csv");
  const names = ["Zoë Mwangá", "José Ng'ombe wa Kariakoo, duka la vifaa", "Baraka O'Tieno"];
  const orders = names.map((name, at) => `SAL-2026-40-00${at + 1},9000112244,${250_000 + at},"${name}"\n`);
  writeFileSync(file, `reference,to,amount,description\n${orders.join("")}`);
  for (const line of [
    "transfer --from 9000112244 --to 9000112233 --amount 75000 --description rent --reference RENT-2026-04",
    "withdraw --account 9000112233 --amount 1500000.50 --narration October --reference PAYOUT-2026-10-01",
    `batch run ${file} --kind transfer --from 9000112233`,
    // The last one: while its callback is tried again, the simulator's time passes.
    "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 15000 --narration Invoice --reference INV-2026-0042 --callback-url https://hooks.example/x",
  ])
    await done(`${line} --yes`);
  const stdin = '{"secretKey":"c2VjcmV0LWtleQ=="}';
  const profile = "--environment sandbox --base-url https://sandbox.example/v1 --account-id vendor-7 --secrets-from -";
  await done(`profile add shop ${profile}`, { stdin });
  const listening = Promise.withResolvers<string>();
  const opened: World["host"] = {
    async listen(options, answer) {
      const server = await listen(options, answer);
      listening.resolve(server.origin);
      return server;
    },
  };
  const received = done("webhook listen --count 1", { host: opened, meanwhile: standStill });
  const origin = await Promise.race([listening.promise, received.then(() => "")]);
  await done(`webhook send ${origin}/webhook`);
  await received;
  await done("ledger sync --start-date 2026-02-01");
  const checked = await done(`batch check ${file} --kind transfer --from 9000112233 --json`);
  const { batch }: { batch: string } = JSON.parse(checked.stdout);
  return batch;
}

/** For a clock whose time stops until the awaited result is there. */
function standStill(): Promise<void> {
  return new Promise(() => undefined);
}
