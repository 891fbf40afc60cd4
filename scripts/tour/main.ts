import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// `npm run tour`: the main job against the simulator. Starts one, plays steps.ts inside of it, and leaves the exported
// statement in tour/. It has a home of its own, and takes no setting from the one who runs it.

const root = join(import.meta.dirname, "../..");
const program = join(root, "bin/partner.js");
const home = mkdtempSync(join(tmpdir(), "partner-tour-"));
const others = Object.entries(process.env).filter(([name]) => !name.startsWith("PARTNER_"));
mkdirSync(join(root, "tour"), { recursive: true });
try {
  const steps = [process.execPath, join(import.meta.dirname, "steps.ts"), program];
  const { status } = spawnSync(process.execPath, [program, "simulator", "run", "--", ...steps], {
    cwd: root,
    stdio: "inherit",
    env: { ...Object.fromEntries(others), PARTNER_CONFIG_DIR: home, PARTNER_STATE_DIR: home },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
