import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";
import { test } from "../simulated.ts";
import { hasTmux, openTerminal } from "../terminal.ts";

describe.skipIf(!hasTmux)(`closing the terminal${hasTmux ? "" : " (needs tmux)"}`, { timeout: 120_000 }, () => {
  test.for(["transfer", "transfer --from 9000112233 --to 9000112244 --amount 9900000 --description rent"])(
    "at a question of %s sends nothing and ends the run as interrupted",
    async (line, { simulator }) => {
      const folder = temporaryFolder();
      const endsInto = join(folder, "exit");
      execFileSync("mkfifo", [endsInto]);
      const environment = {
        ...environmentFor(simulator),
        PARTNER_CONFIG_DIR: join(folder, "config"),
        PARTNER_STATE_DIR: join(folder, "state"),
      };
      const ended = readFile(endsInto, "utf8");
      const terminal = openTerminal(line.split(" "), environment, { endsInto });
      await terminal.shows(line === "transfer" ? "From which wallet" : "(y/N)");
      await terminal.close();
      // Either the signal comes first, or the end of the input.
      expect(["143\n", "130\n"]).toContain(await ended);
      expect(await run(["journal", "list", "--json"], { environment })).toMatchObject({ exit: 0, stdout: "[]\n" });
    },
  );
});
