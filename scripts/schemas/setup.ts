import { checkFields } from "../../src/doctor/check.ts";
import type { Schema } from "./form.ts";
import { flag, listOf, nullable, object, oneOf, rowOf, text, withDescription } from "./form.ts";

const edited = object({ name: text, current: flag });
const environment = oneOf("live", "sandbox", "simulator");

/** Where a command prints no JSON: no document is valid. */
function none(description: string): Schema {
  return { description, not: {} };
}

/** Profiles, the simulator and the program itself. */
export const setupSchemas: Readonly<Record<string, Schema>> = {
  "batch:template": none("A CSV file to fill in; it isn't JSON."),
  completion: none("A script for a shell, the same in every format; it isn't JSON."),
  doctor: listOf(rowOf(checkFields, { precisely: { result: oneOf("ok", "warning", "problem") } })),
  "ledger:sync": none("Nothing is printed."),
  "profile:add": edited,
  "profile:check": listOf(object({ group: oneOf("A", "B"), credentials: text, result: text })),
  "profile:list": listOf(
    object({
      name: text,
      current: flag,
      environment,
      baseUrl: text,
      accountId: text,
      secretStore: oneOf("file", "keyring", "command"),
    }),
  ),
  "profile:remove": edited,
  "profile:set": edited,
  "profile:show": listOf(object({ name: text, value: nullable(text), source: text })),
  "profile:use": edited,
  schema: withDescription({ type: "object", required: ["$schema", "title"] }, "A JSON schema, draft 2020-12."),
  "simulator:run": none("What the command prints that is run."),
  "simulator:start": object(
    {
      baseUrl: text,
      accountBaseUrl: text,
      environment,
      accountId: text,
      secretKey: text,
      accessToken: text,
      webhookKey: text,
      wallets: listOf(text),
      accounts: listOf(text),
      extensions: listOf(text),
    },
    { optional: ["extensions"], description: "The ready line. With --env it is lines for a shell, in every format." },
  ),
  "simulator:stop": none("Nothing is printed; with --env lines for a shell."),
};
