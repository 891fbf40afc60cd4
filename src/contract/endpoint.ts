import type * as z from "zod/mini";
import type { ExtensionName } from "../values/extension.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import type { Receipt } from "./verdict.ts";

/** What a request does to money. It decides who may send it: `reads` may be retried, `moves money` never is. */
export type Effect = "reads" | "moves money";

/** Which credentials a request carries. Spec 5: A is the account id with its secret key, B a bearer token. */
export type AuthGroup = "A" | "B";

/**
 * What only this file can put on an object, so that nothing made or changed elsewhere fits the type `Endpoint`: a
 * request to move money can't be dressed as a read.
 */
class Specified {
  readonly #isSpecified = true;

  static has(endpoint: object): boolean {
    return #isSpecified in endpoint && endpoint.#isSpecified;
  }
}

function specified<T extends object>(endpoint: T): T & Specified {
  const marked = Object.assign(new Specified(), endpoint);
  Object.freeze(marked);
  return marked;
}

/** Whether the specification says that it reads; the types say the same, as far as nobody goes around them. */
export function isRead(endpoint: Endpoint): boolean {
  return Specified.has(endpoint) && endpoint.effect === "reads";
}

/** Whether the specification says that it moves money. */
export function isMoney(endpoint: Endpoint): boolean {
  return Specified.has(endpoint) && endpoint.effect === "moves money";
}

/**
 * One endpoint of the specification as a value. The client, the simulator, the documentation and the contract tests
 * are four readers of the same table, so none of them can drift from the others.
 */
export interface Endpoint<
  E extends Effect = Effect,
  Input extends object = object,
  Output = unknown,
> extends Specified {
  readonly name: string;
  /** The section of the specification that describes it; `none` for an extension. */
  readonly spec: string;
  /** Set for what the specification doesn't have: it stays unused until the profile turns it on. */
  readonly extension?: Extension | undefined;
  readonly method: "GET" | "POST";
  /** Relative to the base URL; `{field}` stands for a field of the request. */
  readonly path: `/${string}`;
  readonly auth: AuthGroup;
  /** Spec 8: remittance and institutions exist in the live environment only. */
  readonly availability: "everywhere" | "live only";
  readonly effect: E;
  readonly request: RequestShape<Input>;
  readonly response: ResponseShape<Output>;
}

/** Where an endpoint that the specification doesn't have is known from. */
export interface Extension {
  readonly name: ExtensionName;
  /** By the service's public pages, or only by what public clients send. */
  readonly known: "documented" | "seen in clients";
}

export interface RequestShape<Input extends object> {
  /** What the specification says of each field's form. Strict: a field that is not named here is a fault. */
  readonly schema: z.ZodMiniType<Input>;
  /** Fields that travel in the path or the query; all others make up the JSON body. */
  readonly places?: Readonly<Record<string, "path" | "query">> | undefined;
}

/**
 * `whole`: a document small enough to be held, decoded liberally: missing and extra fields never fail it.
 * `rows`: a list that may have a million elements, streamed from the array at `at`.
 */
export type ResponseShape<Output> = WholeResponse<Output> | RowsResponse<Output>;

export interface WholeResponse<Output> {
  readonly kind: "whole";
  /** True for one that says how money fared: a member that is named twice makes it unreadable. */
  readonly isClaim?: boolean | undefined;
  /** @throws {Unreadable} when it is not even roughly the documented shape */
  decode(body: JsonValue): Output;
}

export interface RowsResponse<Output> {
  readonly kind: "rows";
  readonly at: readonly string[];
  of(rows: Rows): Output;
}

/** Rows in the pieces in which they came; may be read again from the start, unless they are still arriving. */
export type Rows = AsyncIterable<readonly JsonObject[]>;

export function reads<Input extends object, Output>(
  endpoint: Omit<Endpoint<"reads", Input, Output>, "effect">,
): Endpoint<"reads", Input, Output> {
  return specified({ ...endpoint, effect: "reads" });
}

/** An endpoint whose answer is a list of any length. */
export interface RowsEndpoint<Input extends object = object> extends Endpoint<"reads", Input, Rows> {
  readonly response: RowsResponse<Rows>;
}

export function readsRows<Input extends object>(endpoint: Omit<RowsEndpoint<Input>, "effect">): RowsEndpoint<Input> {
  return specified({ ...endpoint, effect: "reads" });
}

/**
 * An endpoint that moves money also says what a success looks like before it is believed. Spec 4: all of them are
 * POST, so that a GET moves nothing.
 */
export interface MoneyEndpoint<Input extends object = object> extends Endpoint<"moves money", Input, JsonObject> {
  readonly method: "POST";
  readonly receipt: Receipt;
}

export function movesMoney<Input extends object>(endpoint: Omit<MoneyEndpoint<Input>, "effect">): MoneyEndpoint<Input> {
  return specified({ ...endpoint, effect: "moves money" });
}
