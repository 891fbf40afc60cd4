import type * as z from "zod/mini";
import type { ExtensionName } from "../values/extension.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import type { SuccessForm } from "./answers/verdict.ts";

/** What a request does to money. It decides who may send it: `reads` may be retried, `moves money` never is. */
export type Effect = "reads" | "moves money";

/** Which credentials a request carries. Spec 5: A is the account id with its secret key, B a bearer token. */
export type AuthGroup = "A" | "B";

/**
 * Only this file can mark an object with it: an object that was made or changed elsewhere isn't an `Endpoint`, so a
 * request that moves money can't pass for a read.
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

/** True where the specification says that it reads. So do the types, unless a cast circumvents them. */
export function isRead(endpoint: Endpoint): boolean {
  return Specified.has(endpoint) && endpoint.effect === "reads";
}

/** True where the specification says that it moves money. */
export function isMoney(endpoint: Endpoint): boolean {
  return Specified.has(endpoint) && endpoint.effect === "moves money";
}

/**
 * One endpoint of the specification as a value. Client, simulator, documentation and contract tests read the same
 * table, so they can't drift apart.
 */
export interface Endpoint<
  E extends Effect = Effect,
  Input extends object = object,
  Output = unknown,
> extends Specified {
  readonly name: string;
  /** The section of the specification that describes it; `none` for an extension. */
  readonly spec: string;
  /** Set for an endpoint outside the specification: it is unused until the profile turns it on. */
  readonly extension?: Extension | undefined;
  readonly method: "GET" | "POST";
  /** Relative to the base URL; `{field}` is replaced by a field of the request. */
  readonly path: `/${string}`;
  readonly auth: AuthGroup;
  /** Spec 8: remittance and institutions exist in the live environment only. */
  readonly availability: "everywhere" | "live only";
  readonly effect: E;
  readonly request: RequestShape<Input>;
  readonly response: ResponseShape<Output>;
}

/** The source of an endpoint outside the specification. */
export interface Extension {
  readonly name: ExtensionName;
  /** The service's public pages, or only the requests of public clients. */
  readonly known: "documented" | "seen in clients";
}

export interface RequestShape<Input extends object> {
  /** The form of each field, as in the specification. Strict: a field that isn't named here is an error. */
  readonly schema: z.ZodMiniType<Input>;
  /** Fields that are sent in the path or the query; all others are in the JSON body. */
  readonly places?: Readonly<Record<string, "path" | "query">> | undefined;
}

/**
 * `whole`: a document that fits into memory, decoded leniently: missing and extra fields aren't errors. `rows`: a list
 * that may have a million elements, streamed from the array at `at`.
 */
export type ResponseShape<Output> = WholeResponse<Output> | RowsResponse<Output>;

export interface WholeResponse<Output> {
  readonly kind: "whole";
  /** True for an answer that decides what happened to money: a repeated member makes it unreadable. */
  readonly isClaim?: boolean | undefined;
  /** @throws {Unreadable} where it isn't even roughly the documented shape */
  decode(body: JsonValue): Output;
}

export interface RowsResponse<Output> {
  readonly kind: "rows";
  readonly at: readonly string[];
  of(rows: Rows): Output;
}

/** Rows in the batches in which they came. They may be read again from the start, unless they are still arriving. */
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
 * An endpoint that moves money also defines which answers count as a success. Spec 4: all of them are POST, so a GET
 * moves no money.
 */
export interface MoneyEndpoint<Input extends object = object> extends Endpoint<"moves money", Input, JsonObject> {
  readonly method: "POST";
  readonly receipt: SuccessForm;
}

export function movesMoney<Input extends object>(endpoint: Omit<MoneyEndpoint<Input>, "effect">): MoneyEndpoint<Input> {
  return specified({ ...endpoint, effect: "moves money" });
}
