/** Shorter secrets would hide half of every text; they are refused where secrets are stored. */
const hiddenMinChars = 4;

/** The text with each secret replaced by `[secret]`, also where it is escaped for JSON or a URL. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets)
    for (const form of secretForms(secret)) if (clean.includes(form)) clean = clean.replaceAll(form, "[secret]");
  return clean;
}

/** A secret as it is, and as it looks in a JSON text, which may escape slashes, or in a URL. */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < hiddenMinChars) return [];
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    ...new Set([secret, inJson, inJson.replaceAll("/", String.raw`\/`), encodeURIComponent(secret.toWellFormed())]),
  ];
}
