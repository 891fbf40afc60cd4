import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import { temporaryFolder } from "../memory-host.ts";
import { small } from "./small-world.ts";

// The headers are those that each language's own HTTP client sends.

const folder = join(import.meta.dirname, "fixtures/clients");
const said = [
  "GET /wallet 200",
  "POST /wallet/statement 200",
  "POST /collection 200",
  "POST /transaction/withdraw 200",
];

const clients = [
  { language: "PHP", needs: ["php", "-r", "curl_version();"], line: ["php", "client.php"], times: 2 },
  { language: "Ruby", needs: ["ruby", "-e", "1"], line: ["ruby", "client.rb"], times: 1 },
  { language: "Python", needs: ["python3", "-c", "1"], line: ["python3", "client.py"], times: 1 },
  { language: "Go", needs: ["go", "version"], line: ["go", "run", "client.go"], times: 1 },
  { language: "Java", needs: ["javac", "-version"], line: ["java", "Client.java"], times: 1 },
] as const;

for (const { language, needs, line, times } of clients) {
  const [program, ...words] = needs;
  const isMissing = spawnSync(program, words).status !== 0;
  test.skipIf(isMissing)(
    `a client in ${language} can list, read, collect and withdraw${isMissing ? ` (skipped: needs ${program})` : ""}`,
    async () => {
      const simulator = await small();
      const home = temporaryFolder();
      const env = { PATH: process.env["PATH"], HOME: home, GOCACHE: join(home, "go"), ...environmentFor(simulator) };
      const [command, ...args] = line;
      const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
      const [out, errors, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      expect({ exit, errors, lines: out.trim().split("\n") }).toEqual({
        exit: 0,
        errors: "",
        lines: Array.from({ length: times }, () => said).flat(),
      });
      await simulator.idle();
      const heldBy = (accountNo: string) => simulator.world.wallet(accountNo).balance.trimmed();
      expect([heldBy("1044"), heldBy("2001")]).toEqual([String(700 - 100 * times), String(1470 * times)]);
    },
  );
}
