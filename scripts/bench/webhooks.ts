import { spawn } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { join } from "node:path";
import { flood, floodKey } from "../../test/webhooks/flood.ts";

const program = join(import.meta.dirname, "../../bin/partner.js");
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const events = Number(process.env["BENCH_EVENTS"] ?? 20_000);
const connections = Number(process.env["BENCH_CONNECTIONS"] ?? 64);

/** How many webhooks a second are verified, stored and printed, against a server that only answers. */
export async function benchWebhooks(folder: string): Promise<void> {
  const rates: { readonly bare: number; readonly ours: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const ids = Array.from({ length: events }, (_, index) => `E${round}-${index}`);
    const bare = await rateOf(bareReceiver, ids);
    const ours = await rateOf(() => ourReceiver(join(folder, `round-${round}`)), ids);
    // The first round warms up.
    if (round > 0) rates.push({ bare, ours });
  }
  const bare = medianOf(rates.map((rate) => rate.bare));
  const ours = medianOf(rates.map((rate) => rate.ours));
  const ratio = medianOf(rates.map((rate) => rate.ours / rate.bare));
  console.log(
    `\nWebhooks, ${events} on ${connections} connections, ${rounds} rounds (load ${loadavg()[0]?.toFixed(2)})`,
  );
  console.log(`bare node:http that only answers 200   ${bare.toFixed(0).padStart(8)}/s`);
  console.log(`partner webhook listen, durable        ${ours.toFixed(0).padStart(8)}/s   ratio ${ratio.toFixed(2)}`);
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

interface Receiver {
  readonly url: string;
  stop(): Promise<void>;
}

async function rateOf(start: () => Promise<Receiver>, ids: readonly string[]): Promise<number> {
  const receiver = await start();
  try {
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

async function ourReceiver(folder: string): Promise<Receiver> {
  const child = spawn(process.execPath, [program, "webhook", "listen"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PARTNER_STATE_DIR: folder, PARTNER_CONFIG_DIR: folder, PARTNER_WEBHOOK_KEY: floodKey },
  });
  const [ready] = await once(child.stderr, "data");
  child.stderr.resume();
  return {
    url: String(ready).trim().replace("ready ", ""),
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
