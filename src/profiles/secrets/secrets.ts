import type { Secret } from "../../values/secret.ts";
import { checkWebhookKeys } from "../../values/webhook-key.ts";

/** The three secrets of a profile: group A's key, group B's token, and the key that webhooks are signed with. */
export const secretKinds = ["secretKey", "accessToken", "webhookKey"] as const;
export type SecretKind = (typeof secretKinds)[number];
export type Secrets = { readonly [K in SecretKind]?: Secret | undefined };

export const secretWords: Readonly<Record<SecretKind, string>> = {
  secretKey: "secret key",
  accessToken: "access token",
  webhookKey: "webhook key",
};

/** A stored secret with the address that it was entered for: it is never sent anywhere else. */
export interface BoundSecret {
  readonly value: Secret;
  /** A normalized base URL. */
  readonly boundTo: string;
}
export type BoundSecrets = { readonly [K in SecretKind]?: BoundSecret | undefined };

/** Where the secrets of one profile are. */
export interface SecretStore {
  /** As a sentence names it: `the keyring`, `/home/a/.config/partner/credentials.json`. */
  readonly place: string;
  /** As a column names it: `keyring`, `credentials.json`. */
  readonly label: string;
  /** The stored secrets; an empty set where there are none. */
  read(): Promise<BoundSecrets>;
  /** Replaces the stored set; an empty set removes it. Called under the lock. */
  write(secrets: BoundSecrets): Promise<void>;
}

const headerMaxChars = 8_192;

/**
 * Why the text can't be a header's value, in words that follow its name and never repeat it; undefined where it can.
 */
export function checkHeaderText(text: string): string | undefined {
  if (text === "") return "is empty";
  if (text.length > headerMaxChars) return `is longer than ${headerMaxChars} characters`;
  if (!/^[ -~]*$/.test(text)) return "holds a line break or a character beyond ASCII";
  return text.trim() === text ? undefined : "begins or ends with white space";
}

/**
 * Why the text isn't a valid secret, in words that follow its name; undefined where it is valid. Spec 5: the first two
 * kinds are sent as headers, the third is base64.
 */
export function checkSecret(kind: SecretKind, text: string): string | undefined {
  const problem = checkHeaderText(text);
  if (problem !== undefined) return problem;
  if (kind === "webhookKey") return checkWebhookKeys(text);
  return kind === "accessToken" && /^bearer\s/i.test(text) ? "starts with the word Bearer: leave it out" : undefined;
}
