import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// `npm run picture:files`: saves a month of the simulator as page and as workbook, and draws both into docs/images for
// the guide, as Chromium and LibreOffice show them.

const statement = "partner wallet statement 9000112233 --month 2026-10 --quiet --save";
const world = "simulator run --clock 2026-11-03T09:00:00+03:00 --seed-number 7";
const pageSize = { width: 900, height: 1000 };
const dotsPerInch = 65;
const timeoutMs = 120_000;

const root = join(import.meta.dirname, "../..");
const images = join(root, "docs/images");
const folder = mkdtempSync(join(tmpdir(), "partner-picture-"));
try {
  const partner = join(folder, "partner");
  writeFileSync(partner, `#!/bin/sh\nexec '${process.execPath}' '${join(root, "bin/partner.js")}' "$@"\n`);
  chmodSync(partner, 0o755);
  run("sh", ["-c", `./partner ${world} -- sh -c '${statement} month.html && ${statement} month.xlsx'`]);
  const window = `--window-size=${pageSize.width},${pageSize.height}`;
  run("chromium", ["--headless", "--no-sandbox", "--hide-scrollbars", window, "--screenshot=page.png", "month.html"]);
  run("soffice", ["--headless", "--convert-to", "pdf", "month.xlsx"]);
  const firstPage = ["-png", "-r", `${dotsPerInch}`, "-f", "1", "-l", "1", "-singlefile"];
  run("pdftoppm", [...firstPage, "month.pdf", "workbook"]);
  mkdirSync(images, { recursive: true });
  copyFileSync(join(folder, "page.png"), join(images, "statement-page.png"));
  copyFileSync(join(folder, "workbook.png"), join(images, "statement-workbook.png"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(program: string, words: readonly string[]): void {
  const env = { PATH: `${folder}:${process.env["PATH"] ?? ""}`, HOME: folder, LANG: "C.UTF-8" };
  const { status, stderr } = spawnSync(program, words, { cwd: folder, env, encoding: "utf8", timeout: timeoutMs });
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
}
