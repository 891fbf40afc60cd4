import type { Socket } from "node:net";
import type { Kind } from "./kinds.ts";
import { kinds } from "./kinds.ts";
import type { MoneyRequest, Teller } from "./teller.ts";
import { saying } from "./teller.ts";

/** The service as only its owner sees it: the invariants are checked against it. */
export interface Service {
  /** How often money moved under a reference. */
  moved(kind: Kind, reference: string): number;
  /** How many requests to move money have arrived. */
  arrived(): number;
  /** From now on the network and the service work. */
  heal(): void | Promise<void>;
}

export const secretKey = "c2VjcmV0/key+of=the/tests==";
export const accountId = "the-account";

/** The environment of a run that uses the service at that address. */
export function environmentAt(baseUrl: string): Record<string, string> {
  return {
    PARTNER_BASE_URL: baseUrl,
    PARTNER_ENVIRONMENT: "simulator",
    PARTNER_ACCOUNT_ID: accountId,
    PARTNER_SECRET_KEY: secretKey,
    PARTNER_EXTENSIONS: "payout",
  };
}

/**
 * A teller as a service that moves money with each request that it reads, except for the first ones that it
 * refused.
 */
export function honest(teller: Pick<Teller, "requests"> & Partial<Teller>, { refuses = 0 } = {}): Service {
  const { requests } = teller;
  return {
    arrived: () => requests.length,
    moved: (kind, reference) => requests.slice(refuses).filter((request) => isOf(kind, reference, request)).length,
    heal: () => teller.react?.(accept),
  };
}

function isOf(kind: Kind, reference: string, { path, body }: MoneyRequest): boolean {
  return path === kind.path && kind.referenceIn(body) === reference;
}

/** Accepts the request and says so. */
export function accept(socket: Socket, request: MoneyRequest): void {
  const kind = kinds.find(({ path }) => path === request.path);
  if (kind === undefined) throw new Error(`Nobody knows ${request.path}`);
  saying(kind.status, kind.answer(kind.referenceIn(request.body) ?? ""))(socket, request);
}
