import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileDraft, Files } from "../../src/host/files/files.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { temporaryFolder } from "../memory-host.ts";
import { start } from "../host/servers.ts";
import type { Run } from "../partner.ts";
import { run, words } from "../partner.ts";

/** A row of the service's books, in the order in which rows were booked. */
export interface Line {
  readonly ref: string;
  /** Its value date. */
  readonly day: string;
  /** The amount that it adds, below zero for a debit; default: 100. */
  readonly credit?: string;
  readonly narration?: string;
  /** True: its balance counts, but no statement shows it yet. */
  readonly isLate?: boolean;
  /** By how much the balance jumps before it, without a row that explains it. */
  readonly jump?: number;
}

/** The service as it is on one day. */
export interface Books {
  readonly lines: readonly Line[];
  /** The balance that it gives; default: the balance after the last row; null: no answer. */
  readonly balance?: number | null;
  /** True: it sends the rows of all days, whatever period it was asked for. */
  readonly ignoresPeriods?: boolean;
  /** The JSON text of every statement, instead of the rows. */
  readonly statement?: string;
  /** True: it answers 500. */
  readonly isDown?: boolean;
  /** The positions of the rows in the order in which statements show them; default: as booked. */
  readonly order?: readonly number[];
}

const columns = "--columns tranRefNo,narration,amountCredited";

/** A folder with a file that is continued day after day, and a service with given books. */
export async function exportDesk() {
  const folder = temporaryFolder();
  const file = join(folder, "w.csv");
  let books: Books = { lines: [] };
  let asked: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => (body += String(bytes)));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      if (books.isDown === true) response.statusCode = 500;
      if (request.url === "/wallet") return void response.end('[{"accountNo":"42"}]');
      if (request.url === "/wallet/balance") return void response.end(balanceOf(books));
      const [, first = "", last = ""] = /"startDate":"([\d-]+)","endDate":"([\d-]+)"/.exec(body) ?? [];
      asked.push(`${first} ${last}`);
      if (books.statement !== undefined) return void response.end(books.statement);
      return void response.end(books.ignoresPeriods === true ? statementOf(books) : statementOf(books, first, last));
    });
  });
  const port = await start(server);
  const environment = {
    PARTNER_BASE_URL: `http://127.0.0.1:${port}`,
    PARTNER_ENVIRONMENT: "sandbox",
    PARTNER_ACCOUNT_ID: "a",
    PARTNER_SECRET_KEY: "secret-key",
    PARTNER_STATE_DIR: join(folder, "state"),
  };
  return {
    folder,
    file,
    environment,
    text: (name = "w.csv") => readFileSync(join(folder, name), "utf8"),
    /** @returns with the periods that the service was asked for, in order */
    onDay: async (
      day: string,
      told: readonly Line[] | Books,
      flags = "",
      files: Files = nodeFiles(),
    ): Promise<Run & { asked: readonly string[] }> => {
      books = "lines" in told ? told : { lines: told };
      asked = [];
      const save = flags.includes("--save") ? "" : `--save ${file}`;
      const shown = flags.includes("--columns") ? "" : columns;
      const account = flags.includes("--all") ? "" : "42";
      const line = words(`wallet statement ${account} --since-last ${shown} ${save} ${flags}`);
      const ended = await run(line, { environment, now: Date.parse(`${day}T09:00:00Z`), host: { files } });
      return { ...ended, asked };
    },
  };
}

/** The header that `onDay` writes. */
export const header = "tranRefNo,narration,amountCredited\n";

/** Files on which one write ends the run like a kill, before or after the file gets its name. */
export function killedAt(path: string, when: "before" | "after"): Files {
  const files = nodeFiles();
  return {
    ...files,
    async draft(target, mode): Promise<FileDraft> {
      const draft = await files.draft(target, mode);
      if (target !== path) return draft;
      return {
        write: (bytes) => draft.write(bytes),
        abandon: () => draft.abandon(),
        async commit() {
          if (when === "after") await draft.commit();
          throw Object.assign(new Error("killed"), { code: "EIO" });
        },
      };
    },
  };
}

/** The rows of those days, with their balances at the time of booking. */
function statementOf({ lines, order }: Books, first = "", last = "9"): string {
  let balance = 0;
  const rows = lines.map(({ ref, day, credit = "100", narration = "rent", jump = 0, isLate = false }) => {
    const amount = Number(credit);
    balance += jump + amount;
    const sides =
      amount < 0
        ? `"amountCredited":0.00,"amountDebited":${-amount}.00`
        : `"amountCredited":${amount}.00,"amountDebited":0.00`;
    const row = `{"tranRefNo":"${ref}","valueDate":"${day} 08:00:00","txnDate":"${day} 08:00:00","narration":"${narration}","debitOrCredit":"${amount < 0 ? "DR" : "CR"}",${sides},"balance":${balance}.00}`;
    return isLate || day < first || day > last ? [] : [row];
  });
  return `[${(order?.map((place) => rows[place] ?? []) ?? rows).flat().join(",")}]`;
}

function balanceOf({ lines, balance }: Books): string {
  if (balance === null) return "{}";
  const sum = lines.reduce((all, { credit = "100", jump = 0 }) => all + Number(credit) + jump, 0);
  return `{"availableBalance":${balance ?? sum}.00,"currentBalance":${balance ?? sum}.00,"accountNo":"42"}`;
}
