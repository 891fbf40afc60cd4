import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { onTestFinished } from "vitest";
import { openApi } from "../../scripts/openapi/document.ts";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { SimulatorOptions } from "../../src/simulator/simulator.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { memoryHost } from "../memory-host.ts";
import { now } from "../simulated.ts";

export const document: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(openApi()));
const operations = await getHttpOperationsFromSpec(document);
const silent = createLogger("proxy", {}, { write: () => undefined });

/**
 * A proxy made by others between client and service, with the published document. For anything out of it, in either
 * direction, it sends its own answer: 401 or 422 to a request, 500 to an answer.
 */
export async function proxyTo(upstream: string): Promise<string> {
  const server = createServer(operations, {
    components: { logger: silent },
    cors: false,
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: true,
      mock: { dynamic: false },
    },
  });
  onTestFinished(() => server.close());
  return server.listen(0, "127.0.0.1");
}

export async function simulate(options: SimulatorOptions = {}) {
  const simulator = await startSimulator(memoryHost({ now }), options);
  onTestFinished(() => simulator.stop());
  return simulator;
}

/** A simulator behind such a proxy, and the settings of a command that uses it. */
export async function behindProxy(options: SimulatorOptions = {}) {
  const simulator = await simulate(options);
  const proxy = await proxyTo(simulator.baseUrl);
  const addresses = { PARTNER_BASE_URL: proxy, PARTNER_ACCOUNT_BASE_URL: proxy };
  const environment = { ...environmentFor(simulator), ...addresses };
  return { simulator, proxy, environment, account: simulator.accounts[0] ?? "" };
}
