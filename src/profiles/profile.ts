import * as z from "zod/mini";

export const environments = ["live", "sandbox", "simulator"] as const;
export type Environment = (typeof environments)[number];

/** Where a profile's secrets are: in our own file, the system's keyring, or the output of a program. */
export const secretStores = ["file", "keyring", "command"] as const;
export type SecretStoreKind = (typeof secretStores)[number];

const namePattern = /^[a-z0-9][a-z0-9-]{0,31}$/;

// Schemas are built on first use: most runs use none of these.

/** A profile in `config.json`. Unknown members, from a newer version, are kept. */
export const profileSchema = z.lazy(() =>
  z.looseObject({
    environment: z.enum(environments),
    baseUrl: z.string(),
    accountBaseUrl: z.optional(z.string()),
    accountId: z.string(),
    callbackUrl: z.optional(z.string()),
    journal: z.optional(z.string()),
    extensions: z.optional(z.string()),
    secretStore: z.enum(secretStores),
    credentialCommand: z.optional(z.string()),
    "money.secretStore": z.optional(z.literal("command")),
    "money.credentialCommand": z.optional(z.string()),
    "limit.transfer": z.optional(z.string()),
    "limit.day": z.optional(z.string()),
    "allow.to": z.optional(z.string()),
    "like.window": z.optional(z.string()),
    "check.statement": z.optional(z.string()),
    "batch.keep": z.optional(z.string()),
    "book.path": z.optional(z.string()),
    "book.reference": z.optional(z.string()),
    "book.amount": z.optional(z.string()),
    "book.date": z.optional(z.string()),
    "book.direction": z.optional(z.string()),
    "book.dateFormat": z.optional(z.string()),
    "book.decimal": z.optional(z.string()),
  }),
);
export type Profile = z.infer<typeof profileSchema>;

const nameSchema = z.lazy(() => z.string().check(z.regex(namePattern)));

/** `config.json`: every profile, and the name of the current one. */
export const settingsSchema = z.lazy(() =>
  z.looseObject({
    version: z.literal(1),
    current: z.optional(nameSchema),
    profiles: z.record(nameSchema, profileSchema),
  }),
);
export type Settings = z.infer<typeof settingsSchema>;

/** Why a profile's name is invalid, in words that follow it; undefined when it is valid. */
export function checkProfileName(name: string): string | undefined {
  if (namePattern.test(name)) return undefined;
  return "must be 1 to 32 lower-case letters, digits and dashes, and not start with a dash";
}

/** The profile of that name, which may be a name like `constructor`. */
export function profileOf(settings: Settings, name: string): Profile | undefined {
  return Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
}
