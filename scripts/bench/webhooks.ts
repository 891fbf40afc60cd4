import { spawn } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { join } from "node:path";
import { flood, floodKey } from "../../test/webhooks/flood.ts";
import type { Bench, Program } from "./bench.ts";
import { median } from "./turns.ts";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const events = Number(process.env["BENCH_EVENTS"] ?? 20_000);
const connections = Number(process.env["BENCH_CONNECTIONS"] ?? 64);
/** Before the clock runs: a receiver runs for months, and what V8 does in its first second is not what it costs. */
const warmUpEvents = 5_000;

/** How many webhooks a second are verified, stored and printed, against a server that reads them and only answers. */
export async function benchWebhooks({ folder, programs, figures }: Bench): Promise<void> {
  const rates = programs.map((): { readonly bare: number; readonly ours: number }[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    const ids = Array.from({ length: events }, (_, index) => `E${round}-${index}`);
    const bare = await rateOf(bareReceiver, ids);
    for (const [index, program] of programs.entries()) {
      const ours = await rateOf(() => ourReceiver(program, join(folder, `webhooks-${index}-${round}`)), ids);
      // The first round warms the disk up.
      if (round > 0) rates[index]?.push({ bare, ours });
    }
  }
  console.log(
    `\nWebhooks, ${events} on ${connections} connections, ${rounds} rounds (load ${loadavg()[0]?.toFixed(2)})`,
  );
  const bare = median(rates[0]?.map((rate) => rate.bare) ?? []) ?? Number.NaN;
  console.log(`bare node:http that reads and answers  ${bare.toFixed(0).padStart(8)}/s`);
  for (const [index, { name }] of programs.entries()) {
    const ours = median(rates[index]?.map((rate) => rate.ours) ?? []) ?? Number.NaN;
    const ratio = (median(rates[index]?.map((rate) => rate.ours / rate.bare) ?? []) ?? Number.NaN).toFixed(2);
    console.log(`${`${name} webhook listen, durable`.padEnd(38)} ${ours.toFixed(0).padStart(8)}/s   ratio ${ratio}`);
    figures.push({
      what: `${name} webhook listen`,
      value: `${ours.toFixed(0)}/s`,
      ratio,
      against: "in rate, node:http that only answers",
    });
  }
}

interface Receiver {
  readonly url: string;
  stop(): Promise<void>;
}

async function rateOf(start: () => Promise<Receiver>, ids: readonly string[]): Promise<number> {
  const receiver = await start();
  try {
    const warmUp = Array.from({ length: warmUpEvents }, (_, index) => `W${index}`);
    await flood(receiver.url, warmUp, connections);
    const { acknowledged, ms } = await flood(receiver.url, ids, connections);
    if (acknowledged.length !== ids.length)
      throw new Error(`${ids.length - acknowledged.length} were not answered with 200`);
    return (ids.length / ms) * 1000;
  } finally {
    await receiver.stop();
  }
}

async function bareReceiver(): Promise<Receiver> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare-receiver.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [port] = await once(child.stdout, "data");
  return {
    url: `http://127.0.0.1:${String(port).trim()}/webhook`,
    async stop() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

async function ourReceiver({ script }: Program, folder: string): Promise<Receiver> {
  const child = spawn(process.execPath, [script, "webhook", "listen"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PARTNER_STATE_DIR: folder, PARTNER_CONFIG_DIR: folder, PARTNER_WEBHOOK_KEY: floodKey },
  });
  const [ready] = await once(child.stderr, "data");
  child.stderr.resume();
  return {
    url: /ready (\S+)/.exec(String(ready))?.[1] ?? "",
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
