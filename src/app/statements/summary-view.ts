import type { Host } from "../../host/host.ts";
import type { SummaryView } from "../../statements/statement-summary.ts";
import type { Session } from "../session.ts";

/** The width where no terminal gives one. */
const usualColumns = 80;

/** How the balance is drawn where the result goes: off a terminal in ASCII alone, and only when asked. */
export function summaryView(chart: boolean, { host, result }: Pick<Session, "host" | "result">): SummaryView {
  const isTerminal = result.save === undefined && host.stdout.isTerminal;
  return {
    drawn: chart ? "chart" : isTerminal ? "line" : undefined,
    ascii: !isTerminal || !drawsLines(host),
    width: (isTerminal ? result.width : undefined) ?? usualColumns,
  };
}

/** True where a terminal can show more than ASCII, as far as the environment tells; on Windows it doesn't tell. */
function drawsLines({ environment, machine }: Host): boolean {
  if (environment["TERM"] === "dumb") return false;
  const { LC_ALL, LC_CTYPE, LANG } = environment;
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== "");
  return locale === undefined ? machine.platform === "win32" : /utf-?8/i.test(locale);
}
