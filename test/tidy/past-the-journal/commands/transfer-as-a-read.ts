import type { Session } from "../app/session.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { transfer, walletBalance } from "../contract/wallets.ts";

const input = { amount: 1, from: "1001", to: "1002", description: "rent" };

/** The endpoint that moves money, one typed by hand, and one that reads turned into another. */
export async function send({ service }: Session): Promise<void> {
  await service.read(transfer, input);
  const typed: Endpoint<"reads"> = {
    name: "balance",
    spec: "4.7",
    method: "POST",
    path: transfer.path,
    auth: "A",
    availability: "everywhere",
    effect: "reads",
    request: transfer.request,
    response: transfer.response,
  };
  const turned: Endpoint<"reads"> = { ...walletBalance, path: transfer.path };
  await service.read(typed, input);
  await service.read(turned, input);
}
