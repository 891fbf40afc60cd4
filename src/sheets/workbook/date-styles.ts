import type { Archive } from "./archive.ts";
import { readWholeXml } from "./xml.ts";

/** The built-in number formats that show a day: 14 to 17, 22, and those of East Asia. */
const builtInDates: ReadonlySet<number> = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 54, 57, 58]);
/** Literal parts of a format: quoted text, escaped characters, colours, currencies and conditions. */
const literal = /"[^"]*"|[\\_*].|\[[^\]]*(?:\]|$)/gs;
const dayOrYear = /[dy]/i;

/**
 * The ids of a workbook's styles that show a number as a day.
 * @throws {Failure} usage
 */
export async function readDateStyles(archive: Archive, name: string | undefined, path: string): Promise<Set<number>> {
  const dates = new Set<number>();
  if (name === undefined) return dates;
  const forms = new Map<number, string>();
  let isInStyles = false;
  let count = 0;
  await readWholeXml(
    { archive, name, path },
    {
      open(element, attribute) {
        if (element === "numFmt") forms.set(Number(attribute("numFmtId")), attribute("formatCode") ?? "");
        if (element === "cellXfs") isInStyles = true;
        if (element !== "xf" || !isInStyles) return;
        const form = Number(attribute("numFmtId") ?? "0");
        if (isDate(form, forms.get(form))) dates.add(count);
        count += 1;
      },
      close(element) {
        if (element === "cellXfs") isInStyles = false;
      },
    },
  );
  return dates;
}

/** A format of the workbook overrides the built-in one with its number. */
function isDate(number: number, form: string | undefined): boolean {
  if (form === undefined) return builtInDates.has(number);
  const [positive = ""] = form.replaceAll(literal, "").split(";");
  return dayOrYear.test(positive.replaceAll(/general/gi, ""));
}
