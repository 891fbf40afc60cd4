import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { hostileRows } from "./hostile-rows.ts";
import { lacks } from "./readers.ts";
import type { AccountKind, Told } from "./told.ts";
import { bothKinds, exported, newestFirst, statementBody } from "./told.ts";

const quiet: readonly Told[] = [
  { ref: "A", at: "2026-02-03 09:15:00", narration: "Malipo <b>ya</b> & sukari", amount: "250.5" },
  { ref: "A-PAYOUT", at: "2026-02-03 09:15:00", narration: "fee", amount: "-1.00" },
  { ref: "B", at: "2026-02-20 23:59:59", sender: "Zoë", amount: "-12345678901234567.10" },
];

async function pageOf(kind: AccountKind, rows: readonly Told[], body = statementBody(kind, rows)): Promise<string> {
  const { stdout, stderr, exit } = await exported("html", kind, body);
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  return stdout;
}

test("a page shows the account's totals and then every row", async () => {
  const page = await pageOf("merchant", quiet);
  const told = [...page.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value]);
  expect(told).toEqual([
    ["Account", "015A8XX787600"],
    ["Period", "2026-02-01 to 2026-02-28"],
    ["Currency", "TZS"],
    ["Rows", "3"],
    ["Opening balance", "1,000.00"],
    ["Credits", "250.50"],
    ["Debits", "12,345,678,901,234,568.10"],
    ["Closing balance", "-12,345,678,901,233,317.60"],
  ]);
  const rows = page.split("\n").filter((line) => line.includes('class="date"'));
  expect(rows.map((row) => row.replaceAll(/<[^>]*>/g, "|").replaceAll(/\|+/g, "|"))).toEqual([
    "|2026-02-03|09:15|A|Malipo &lt;b&gt;ya&lt;/b&gt; &amp; sukari|250.50|1,250.50|",
    "|2026-02-03|09:15|A-PAYOUT|fee|1.00|1,249.50|",
    "|2026-02-20|23:59|B|n|Zoë|12,345,678,901,234,567.10|-12,345,678,901,233,317.60|",
  ]);
  expect(page).toContain('<tr class="fee"><td class="date">2026-02-03');
});

test("the balance is drawn in steps", async () => {
  const page = await pageOf("wallet", quiet.slice(0, 2));
  const [, path] = /<path class="curve" d="([^"]*)"/.exec(page) ?? [];
  expect(path).toMatch(/^M64 [\d.]+H\d+V[\d.]+V[\d.]+H948$/);
  expect(page).toContain('<title id="chart-label">Balance, 2026-02-01 to 2026-02-28</title>');
});

test("the chart of a large statement stays small", async () => {
  const rows = Array.from({ length: 5000 }, (_, index): Told => {
    const day = String(1 + Math.floor(index / 200)).padStart(2, "0");
    const second = String(index % 60).padStart(2, "0");
    const time = `${String(Math.floor((index % 200) / 9)).padStart(2, "0")}:00:${second}`;
    return { ref: `R${index}`, at: `2026-02-${day} ${time}`, amount: index % 2 === 0 ? "7.5" : "-3.25" };
  });
  const page = await pageOf("wallet", rows);
  const svg = page.slice(page.indexOf("<svg"), page.indexOf("</svg>"));
  expect(svg.length).toBeLessThan(60_000);
  expect(page.match(/class="date"/g)).toHaveLength(5000);
});

for (const kind of bothKinds) {
  test(`texts of a ${kind} never become markup, and nothing is loaded`, async () => {
    const page = await pageOf(kind, hostileRows);
    const tags = new Set([...page.matchAll(/<\/?([a-z0-9!]+)/gi)].map(([, name]) => name));
    const ours =
      "!doctype bdi body dd div dl dt figcaption figure h1 head header html meta p path small style svg table tbody td";
    expect(tags).toEqual(new Set(`${ours} text th thead title tr`.split(" ")));
    expect(page).not.toMatch(/\son\w+=|javascript:|url\(|@import|href=|src=|https?:/i);
    // Nothing invisible: no control characters and none that change the direction of text.
    expect(page.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
    expect(page.match(/class="date"/g)).toHaveLength(hostileRows.length);
  });
}

test("its policy forbids everything except its own style", async () => {
  const page = await pageOf("wallet", quiet);
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(page).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  );
  expect(page).not.toContain(" style=");
});

test("rows in reverse order give the same page, oldest first", async () => {
  const body = statementBody("wallet", quiet);
  expect(await pageOf("wallet", quiet, newestFirst(body))).toBe(await pageOf("wallet", quiet, body));
});

test("an empty period is a page that says so", async () => {
  const page = await pageOf("wallet", []);
  expect(page).toContain("Nothing moved in this period.");
  expect(page).not.toContain("<svg");
});

test("each printed page has headings, account and page number (needs chromium and pdftotext)", async ({ skip }) => {
  const missing = lacks("chromium", "--version") ?? lacks("pdftotext", "-v");
  if (missing !== undefined) skip(missing);
  const rows = Array.from({ length: 90 }, (_, index): Told => ({
    ref: `R${index}`,
    narration: "Malipo",
    amount: "10",
  }));
  const pages = printed(await pageOf("wallet", rows));
  expect(pages.length).toBeGreaterThan(2);
  for (const [index, page] of pages.entries()) {
    expect(page).toMatch(/Date +Reference +Narration +Debit +Credit +Balance/);
    expect(page).toContain("Wallet statement · 9000112233 · Zoë & Sons · 2026-02-01 to 2026-02-28 · TZS");
    expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
  }
  const references = [...pages.join("").matchAll(/ (R\d+) /g)].map(([, reference]) => reference);
  expect(references).toEqual(rows.map(({ ref }) => ref));
});

/** The text of each page printed by a browser. */
function printed(page: string): readonly string[] {
  const folder = temporaryFolder();
  const [html, pdf] = [join(folder, "statement.html"), join(folder, "statement.pdf")];
  writeFileSync(html, page);
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
  const offline = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const print = ["--no-pdf-header-footer", `--user-data-dir=${join(folder, "profile")}`, `--print-to-pdf=${pdf}`];
  const { status } = spawnSync("chromium", [...flags, ...offline, ...print, `file://${html}`], { timeout: 60_000 });
  expect(status).toBe(0);
  const { stdout } = spawnSync("pdftotext", ["-layout", pdf, "-"], { encoding: "utf8" });
  return stdout.split("\f").slice(0, -1);
}
