import type { Host } from "../../host/host.ts";
import type { Listening } from "../../host/server/listener.ts";
import { jsonAnswer, notFound, receive } from "../../host/server/server.ts";
import type { ListenAddress } from "../../values/addresses/listen-address.ts";
import type { MetricFamily } from "../../values/text/open-metrics.ts";
import { openMetricsText, openMetricsType } from "../../values/text/open-metrics.ts";

const healthy = jsonAnswer(200, '{"status":"ok"}');

/**
 * Serves `/metrics` and `/health` of a long run.
 * @throws {Failure} unavailable (the port is in use) | usage (an address that is not this machine's)
 */
export async function serveMetrics(
  host: Pick<Host, "listen">,
  address: ListenAddress,
  families: () => Promise<readonly MetricFamily[]>,
): Promise<Listening> {
  const hint = "Take a free port: --metrics 127.0.0.1:0";
  return receive(host, { address, hint, money: "not moved" }, async ({ method, target }) => {
    const [path] = target.split(/[?#]/);
    if (method !== "GET" && method !== "HEAD") return notFound;
    if (path === "/health") return healthy;
    if (path !== "/metrics") return notFound;
    return { status: 200, headers: { "content-type": openMetricsType }, body: openMetricsText(await families()) };
  });
}
