import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { openDesk, timesMoved } from "./batch-service.ts";
import type { Anybody, Office } from "./four-eyes.ts";
import { everybody, hire, openOffice } from "./four-eyes.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/guide/a-week-of-four-eyes.md"), "utf8");
const needsKeygen = spawnSync("ssh-keygen", ["-?"]).error === undefined ? "" : " (skipped: needs ssh-keygen)";
const weekTimeoutMs = 120_000;

/** A line of the page: who types what, and its exit code. */
interface Step {
  readonly who: string;
  readonly line: string;
  readonly exit: number;
}

const files = [...page.matchAll(/```\w+ file=(\S+)\n([^`]*)```/g)].map(([, name = "", text = ""]) => ({ name, text }));
const steps = [...page.matchAll(/^(\w+)\$ (.*?)(?: +# exit (\d))?$/gm)].map(
  ([, who = "", line = "", exit = "0"]): Step => ({ who, line, exit: Number(exit) }),
);

function isPerson(name: string): name is Anybody {
  return everybody.includes(name);
}

/** The real ids of batches and heads for the made-up ones on the page. */
class Names {
  readonly #real = new Map<string, string>();

  in(line: string): string {
    return line.replaceAll(/\b(?:[0-9a-f]{64}|(\d)\1{15})\b/g, (name) => this.#real.get(name) ?? name);
  }

  know(name: string | undefined, real: string): void {
    if (name !== undefined) this.#real.set(name, real);
  }
}

const batches = [...new Set(page.match(/\b(\d)\1{15}\b/g))];
const [head] = page.match(/\b[0-9a-f]{64}\b/) ?? [];

/** Types a line on the machine of the person named on the page, and returns how it ended. */
async function type({ who, line }: Step, office: Office, folder: string): Promise<{ exit: number; said: string }> {
  const [, sql] = /^psql payments -c "(.*)"$/.exec(line) ?? [];
  if (sql !== undefined) {
    await office.root(sql.replaceAll("payments", office.database));
    return { exit: 0, said: "" };
  }
  if (line.startsWith("ssh-keygen ")) {
    const words = line.split(" ").map((word) => (word === '""' ? "" : word));
    return { exit: spawnSync("ssh-keygen", words.slice(1), { cwd: folder }).status ?? 1, said: "" };
  }
  if (!isPerson(who)) throw new Error(`${who} has no machine`);
  const own = line.replace(/^partner /, "").replaceAll(/\b[\w-]+\.(?:csv|json|pub)\b/g, (name) => join(folder, name));
  const { exit, stdout, stderr } = await office.at(who)`${own}`;
  return { exit, said: stdout + stderr };
}

withPostgres("the week of the guide", (server) => {
  beforeAll(() => hire(server));

  describe.skipIf(needsKeygen !== "")(`runs as it is written${needsKeygen}`, () => {
    test("with the exit code that the page gives for each line", { timeout: weekTimeoutMs }, async ({ simulator }) => {
      const office = await openOffice(server, simulator);
      const desk = openDesk();
      for (const { name, text } of files) desk.write(text, name);
      const names = new Names();
      const waiting = [...batches];
      expect(steps.length).toBeGreaterThan(40);
      for (const step of steps) {
        const { exit, said } = await type({ ...step, line: names.in(step.line) }, office, desk.folder);
        expect({ line: step.line, exit, said }).toEqual({ line: step.line, exit: step.exit, said });
        if (step.line.includes("batch submit")) names.know(waiting.shift(), /\b[0-9a-f]{16}\b/.exec(said)?.[0] ?? "");
        if (step.line === "partner journal verify") names.know(head, /\b[0-9a-f]{64}\b/.exec(said)?.[0] ?? "");
      }
      expect(waiting).toEqual([]);
      const paid = ["SUP-1", "DRAFT-1", "RENT-1", "FUEL-1", "TYRES-1"];
      expect(paid.map((reference) => timesMoved(simulator, reference))).toEqual([1, 0, 1, 1, 1]);
      const proof = JSON.parse(desk.read("proof.json"));
      expect(proof).toMatchObject({ reference: "SUP-1", state: "accepted" });
      expect(proof.chain.filter(({ step }: { step: string }) => step === "approve").length).toBe(6);
    });
  });
});
