/** Shorter ones would hide half of every text; a secret that short is refused where it is stored. */
const hiddenMinChars = 4;

/** A text in which each secret reads `[secret]`, also where it is escaped for JSON or for a URL. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets)
    for (const form of secretForms(secret)) if (clean.includes(form)) clean = clean.replaceAll(form, "[secret]");
  return clean;
}

/** A secret as it is, and as it looks inside of a JSON text, which may escape slashes, or a URL. */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < hiddenMinChars) return [];
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll("/", String.raw`\/`), encodeURIComponent(secret)])];
}
