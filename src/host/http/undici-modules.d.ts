// The parts of undici that this program uses, without the rest that its index loads.
declare module "undici/lib/dispatcher/client.js" {
  import type { Client } from "undici";
  const client: typeof Client;
  export default client;
}
