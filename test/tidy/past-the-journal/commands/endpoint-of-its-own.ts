import type { Session } from "../app/session.ts";
import { reads } from "../contract/endpoint.ts";
import { transfer, walletBalance } from "../contract/wallets.ts";

/** An endpoint that claims to read, and doesn't. */
const balance = reads({
  name: "balance",
  spec: "4.7",
  method: "POST",
  path: transfer.path,
  auth: "A",
  availability: "everywhere",
  request: walletBalance.request,
  response: walletBalance.response,
});

export function send({ service }: Session): Promise<unknown> {
  return service.read(balance, { accountNo: "1001" });
}
