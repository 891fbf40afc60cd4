import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

/** The script of the documentation that checks a proof. */
const page = readFileSync(join(import.meta.dirname, "../../docs/shared-journal.md"), "utf8");
const [, proofScript = ""] = /```python\n([^`]*proof\[[^`]*)```/.exec(page) ?? [];

const checked = (file: string) => spawnSync("python3", ["-c", proofScript, file], { encoding: "utf8" });

const collection =
  "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference C-1";

test("the secret path of a callback is masked wherever an order is shown, and was in the request", async ({
  partnerIn,
  simulator,
}) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const partner = partnerIn({ environment });
  const waited = await partnerIn({
    environment,
    meanwhile: () => simulator.idle(),
  })`${collection} --yes --wait --json`;
  expect(waited).toMatchObject({ exit: 0 });
  const sent = simulator.world.collections.get("C-1")?.callbackUrl ?? "";
  const secret = sent.slice(sent.lastIndexOf("/") + 1);
  expect(secret).toMatch(/^[\w-]{43}$/);
  const masked = sent.replace(secret, "[secret]");
  const terminal = partnerIn({ environment, terminal: { stdout: true }, columns: 200 });
  const onTerminal = (await terminal`journal show C-1`).stdout;
  const shown = [
    waited.stdout,
    onTerminal,
    (await partner`journal show C-1`).stdout,
    (await partner`journal show C-1 --json`).stdout,
    (await partner`journal list --json`).stdout,
    (await partner`journal export --csv`).stdout,
    (await partner`journal resolve C-1 --json`).stdout,
    (await partner`${collection} --yes --wait --json`).stdout,
    (await partner`ledger sql ${"'SELECT request FROM orders'"}`).stdout,
  ];
  for (const text of shown) {
    expect(text).toContain(masked);
    expect(text).not.toContain(secret);
  }
  const other = await partner`${collection} --yes --callback-url https://hooks.example/`;
  expect(other).toMatchObject({ exit: 2, stdout: "" });
  expect(other.stderr).toContain(`was "${masked}", is "https://hooks.example/" now`);
  expect((await partner`journal receipt C-1 --json`).stdout + (await partner`find C-1 --json`).stdout).not.toContain(
    secret,
  );
});

test("a proof, an archive and the exported history have the exact request, so that they verify", async ({
  partnerIn,
  simulator,
}) => {
  const folder = temporaryFolder();
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder }, meanwhile: () => simulator.idle() });
  await partner`${collection} --yes --wait`;
  const sent = simulator.world.collections.get("C-1")?.callbackUrl ?? "none";
  const fileOf = (name: string) => join(folder, name);
  const [proof, history, archive] = [fileOf("proof.json"), fileOf("history.ndjson"), fileOf("archive.ndjson")];
  await partner`journal prove C-1 --save ${proof}`;
  const proved = JSON.parse(readFileSync(proof, "utf8"));
  expect(JSON.parse(proved.request)).toMatchObject({ callbackUrl: sent });
  expect(proved.order.request).toMatchObject({ callbackUrl: sent });
  await partner`journal export --events --save ${history}`;
  expect(readFileSync(history, "utf8")).toContain(sent);
  expect(await partner`journal verify --export ${history}`).toMatchObject({ exit: 0 });
  const later = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder }, now: Date.UTC(2028, 0, 1) });
  expect(await later`journal archive --before 2027-01-01 --save ${archive}`).toMatchObject({ exit: 0 });
  expect(readFileSync(archive, "utf8")).toContain(sent);
  expect(await partner`journal verify ${archive}`).toMatchObject({ exit: 0 });
  const forged = fileOf("forged.json");
  writeFileSync(forged, readFileSync(archive, "utf8").replaceAll(sent, `${sent}x`));
  expect(await partner`journal verify ${forged}`).toMatchObject({ exit: 9, stdout: "" });
  if (spawnSync("python3", ["--version"]).status !== 0) return;
  expect(checked(proof)).toMatchObject({ status: 0, stdout: `${proved.head}\n` });
  writeFileSync(forged, readFileSync(proof, "utf8").replaceAll(sent, `${sent}x`));
  expect(checked(forged)).toMatchObject({ status: 1, stdout: "" });
});
