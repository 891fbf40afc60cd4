import type { Host } from "../../host/host.ts";
import type { SummaryView } from "../../statements/statement-summary.ts";
import type { Session } from "../session.ts";

/** Where no terminal says how wide its lines are. */
const usualColumns = 80;

/** How a balance can be drawn where the result goes: on paper and in files with ASCII alone, and only when asked. */
export function summaryView(chart: boolean, { host, result }: Pick<Session, "host" | "result">): SummaryView {
  const isTerminal = result.save === undefined && host.stdout.isTerminal;
  return {
    drawn: chart ? "chart" : isTerminal ? "line" : undefined,
    ascii: !isTerminal || !drawsLines(host),
    width: (isTerminal ? result.width : undefined) ?? usualColumns,
  };
}

/** True where a terminal knows more than ASCII, as far as the environment says; Windows does not say. */
function drawsLines({ environment, machine }: Host): boolean {
  if (environment["TERM"] === "dumb") return false;
  const { LC_ALL, LC_CTYPE, LANG } = environment;
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== "");
  return locale === undefined ? machine.platform === "win32" : /utf-?8/i.test(locale);
}
