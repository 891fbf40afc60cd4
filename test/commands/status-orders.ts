import { join } from "node:path";
import { createTransport } from "../../src/host/http/http-transport.ts";
import type { Transport, TransportSettings, WireRequest } from "../../src/host/http/transport.ts";
import { temporaryFolder } from "../memory-host.ts";

// Orders whose status the service can be asked for.

/** An address on another machine, so that no callback arrives here. */
export const elsewhere = "--callback-url https://hooks.example/partner";
export const collect = '--msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration "lunch"';
export const payTo = (number: string) =>
  `--from 9000112233 --to ${number} --name "ASHA JUMA" --amount 25000 --narration "Salary March"`;
export const accepted = "255712000111";
export const rejected = "255712990001";
export const open = "255712990003";

export const folders = () => {
  const folder = temporaryFolder();
  return { environment: { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: join(folder, "state") } };
};
/** The real transport, with an action before each request. */
export const transportThat =
  (acts: (request: WireRequest) => void | Promise<void>) => async (settings: TransportSettings) => {
    const send = await createTransport(settings, {});
    const transport: Transport = async (request) => {
      await acts(request);
      return send(request);
    };
    return transport;
  };
export const first = (stdout: string): Record<string, unknown> => JSON.parse(stdout)[0];
