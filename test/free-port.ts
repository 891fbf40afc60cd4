import { once } from "node:events";
import { createServer } from "node:net";

/** Ports that no system gives to outgoing connections or to servers that ask for any port. */
const firstPort = 10_240;
const portsCount = 16_384;
const triesMaxCount = 100;

/**
 * A port on which nothing listens, and which stays free while other tests connect and listen: it is lower than those
 * that
 * the system assigns.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMaxCount; tries += 1) {
    const port = firstPort + Math.floor(Math.random() * portsCount);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${triesMaxCount} ports is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, "listening");
  server.listen(port, "127.0.0.1");
  try {
    await listening;
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
