import { violation } from "../../values/violation.ts";

const urlMaxChars = 2_048;

/**
 * Reads an address to deliver webhooks to. Unlike the service's own address it may be any, since nothing secret goes
 * there. Spec 6.2 demands HTTPS from receivers; on one's own network plain HTTP will do.
 * @throws {Failure} usage
 */
export function readWebhookUrl(text: string, name: string): string {
  const problem = problemOf(text);
  if (problem === undefined) return text;
  // It may contain a password: then it is not repeated.
  const shown = /@/.test(text) ? "(not shown)" : text;
  throw violation({ field: name, text: shown, problem, example: "https://example.com/webhook" });
}

function problemOf(text: string): string | undefined {
  if (text.length > urlMaxChars) return `is longer than ${urlMaxChars} characters`;
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? [];
  if (authority === undefined) return "does not start with https:// or http://";
  if (authority.includes("@")) return "holds a user name or password: leave them out";
  if (text.includes("#")) return "holds a #: leave out what comes after it";
  return /[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text) ? "isn't a valid address" : undefined;
}
