import { once } from "node:events";
import { createServer } from "node:net";
import type { Installed } from "../transcript/play.ts";
import { playTranscript } from "../transcript/play.ts";
import type { Block, Page } from "./blocks.ts";
import { parsePage } from "./blocks.ts";

/** What became of the blocks of a page. */
export interface Played {
  /** A sentence or more for each block that did something else than it says; empty where all is well. */
  readonly faults: readonly string[];
  /** What the `output` blocks should hold, by the lines of the blocks. */
  readonly outputs: ReadonlyMap<number, string>;
}

/** Commands that are about the sources; `.ci/run` runs them. */
const aboutTheSources = /^npm (?:ci|run|test)\b/;

/** Runs every block of a page, in their order, in an empty folder inside of the page's world. */
export async function playPage(markdown: string, installed: Installed): Promise<Played> {
  const page = parsePage(markdown);
  const ports = await freePorts(page);
  const steps = page.blocks.flatMap((block) =>
    commandsOf(block).map((command) => ({ block, command: withPorts(command, ports) })),
  );
  const outcomes = await playTranscript(
    {
      inside: page.world,
      steps: steps.map(({ command }) => ({ remarks: [], command, outcome: { stdout: "", stderr: "", exit: 0 } })),
    },
    installed,
  );
  const faults: string[] = [];
  const printed = new Map<Block, string>();
  for (const [index, { block, command }] of steps.entries()) {
    const { stdout = "", exit } = outcomes[index] ?? {};
    printed.set(block, stdout);
    if (exit !== block.exit)
      faults.push(`line ${block.line}: ended with ${exit ?? "nothing"}, not ${block.exit}\n${command}\n${stdout}`);
  }
  const outputs = outputsOf(page, printed);
  for (const block of page.blocks) {
    const wanted = outputs.get(block.line);
    if (wanted !== undefined && wanted !== block.text)
      faults.push(`line ${block.line}: the output is not the one shown, but\n${wanted}`);
    if (block.language === "json") faults.push(...jsonFaults(block));
  }
  return { faults, outputs };
}

const localPort = /127\.0\.0\.1:\d+/g;

/** For each port of a page one that is free, so that two runs at a time do not meet. */
async function freePorts({ blocks }: Page): Promise<Map<string, string>> {
  const named = new Set(
    blocks.flatMap(({ language, text }) => (language === "sh" ? (text.match(localPort) ?? []) : [])),
  );
  const free = await Promise.all(
    [...named].map(async (address): Promise<[string, string]> => [address, await freeAddress()]),
  );
  return new Map(free);
}

async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The system gave no port.");
  return `127.0.0.1:${address.port}`;
}

function withPorts(command: string, ports: ReadonlyMap<string, string>): string {
  return command.replaceAll(localPort, (address) => ports.get(address) ?? address);
}

/** What a shell is given for a block; stderr and stdout come as one, as on a terminal. */
function commandsOf({ language, file, text }: Block): string[] {
  if (file !== undefined) return [`cat > '${file}' <<'END-OF-FILE'\n${text}END-OF-FILE`];
  if (language === "sh" && !aboutTheSources.test(text)) return [`exec 2>&1\nset -e\n${text}`];
  if (language !== "crontab") return [];
  const jobs = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return jobs.map((line) => `exec 2>&1\n${line.replace(/^(?:\S+\s+){5}/, "")}`);
}

function outputsOf({ blocks }: Page, printed: ReadonlyMap<Block, string>): Map<number, string> {
  return new Map(
    blocks.flatMap((block, index): [number, string][] => {
      const before = blocks[index - 1];
      return block.language === "output" && before !== undefined ? [[block.line, printed.get(before) ?? ""]] : [];
    }),
  );
}

function jsonFaults({ line, text }: Block): string[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [`line ${line}: ${String(error)}`];
  }
}
