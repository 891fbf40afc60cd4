import type { Session } from "../app/session.ts";
import { RawRead } from "../contract/raw-read.ts";
import { transfer, walletBalance } from "../contract/wallets.ts";

const body = '{"amount":1,"from":"1001","to":"1002","description":"rent"}';

/** The body of a transfer under a path typed by hand: of the endpoint that moves money, and bypassing the check. */
export async function send({ service }: Session): Promise<void> {
  const target = { segments: ["transaction", "transfer-local"], query: "" };
  await service.raw(RawRead.of(transfer, target, body));
  const encoded = { target: transfer.path, body };
  await service.raw(new RawRead({ endpoint: walletBalance, encoded, accountNo: undefined }));
}
