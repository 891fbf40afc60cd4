/** Spec 5 says base64 and no length: anything shorter could be guessed. */
const webhookKeyMinBytes = 16;
/** Spec is silent on how a key is replaced: while both are in use, two may be given, separated by a space. */
const webhookKeysMax = 2;

/** The webhook keys in a text, as written. */
export function splitWebhookKeys(text: string): string[] {
  return text.split(/ +/);
}

/** Why a text isn't one or two webhook keys, in words that follow its name and never repeat it. */
export function checkWebhookKeys(text: string): string | undefined {
  if (text === "") return "is empty";
  if (/[\r\n]/.test(text)) return "is on more than one line";
  if (text.trim() !== text) return "begins or ends with white space";
  const keys = splitWebhookKeys(text);
  if (keys.length > webhookKeysMax) return "holds more than two keys";
  for (const key of keys) {
    const bytes = Buffer.from(key, "base64");
    // Decoding accepts almost everything; only what encodes back to itself is base64.
    if (bytes.toString("base64") !== key) return "is not base64";
    if (bytes.length < webhookKeyMinBytes) return `is shorter than ${webhookKeyMinBytes} bytes`;
  }
  return undefined;
}
