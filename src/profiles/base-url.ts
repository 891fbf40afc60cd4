import { isLoopback } from "../values/addresses/loopback.ts";
import { withoutEnding } from "../values/text/text-end.ts";

const urlMaxChars = 2_048;

/**
 * Why the text isn't a valid base URL, in words that follow its name; undefined where it is valid. The words never
 * repeat the text, which may contain a password.
 */
export function checkUrl(text: string): string | undefined {
  if (text === "") return "is empty";
  if (text.length > urlMaxChars) return `is longer than ${urlMaxChars} characters`;
  if (/[\s\p{Cc}\\]/u.test(text)) return "contains white space, a backslash or a control character";
  const [, scheme, authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(text) ?? [];
  if (scheme === undefined) return "must start with https:// (or http:// for this machine)";
  if (authority.includes("@")) return "holds a user name or password: leave them out";
  if (/[?#]/.test(text)) return "holds a ? or a #: leave out what comes after the path";
  if (!URL.canParse(text)) return "isn't a valid address";
  const url = new URL(text);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return "must start with https://: http:// is only for this machine (localhost, 127.0.0.1, [::1])";
  }
  return undefined;
}

/**
 * The normalized form of a base URL, to which a secret is bound, without a trailing slash and with a lower-case host
 * name. An invalid URL is unchanged.
 */
export function plainUrl(text: string): string {
  if (checkUrl(text) !== undefined) return text;
  const { origin, pathname } = new URL(text);
  return origin + withoutEnding(pathname, "/");
}

/** The URL of a path of the service. Joined as text: `new URL("/wallet", base)` would drop the base's own path. */
export function joinUrl(base: string, path: string): string {
  return withoutEnding(base, "/") + path;
}

/** A URL to show. An invalid one may contain a password, and is not shown. */
export function showUrl(text: string): string {
  return checkUrl(text) === undefined ? text : "(not shown: it isn't a usable address)";
}
