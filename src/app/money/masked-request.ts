import type { Service } from "../../client/service.ts";
import { encodeRequest } from "../../contract/request.ts";
import type { MoneyOrder } from "../../movements/order.ts";
import type { JsonObject } from "../../values/json.ts";

/** What `--dry-run` shows of an order: the request as it would be sent, with the secret masked. */
export function maskedRequest(
  { endpoint, input }: MoneyOrder,
  service: Service,
  accountId: string | undefined,
): JsonObject {
  const { target } = encodeRequest(endpoint, input);
  return {
    method: endpoint.method,
    url: service.address(endpoint.auth, target),
    headers: { "x-account-id": accountId ?? null, "x-secret-key": "[secret]" },
    request: { ...input },
  };
}
