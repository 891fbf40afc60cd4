import { posix } from "node:path";
import { quote } from "../../values/text/text.ts";
import { unreadableSheet } from "../sheet-failures.ts";
import type { Archive } from "./archive.ts";
import { damaged } from "./archive.ts";
import { readWholeXml } from "./xml.ts";

/** A sheet of a workbook, and the part with its rows. */
export interface SheetPart {
  readonly name: string;
  readonly part: string;
}

/** The parts of a workbook in its archive. */
export interface WorkbookParts {
  readonly sheets: readonly SheetPart[];
  readonly sharedStrings: string | undefined;
  readonly styles: string | undefined;
  /** True where days are counted from 1904, as on old Macintoshes. */
  readonly from1904: boolean;
}

/**
 * Looks up the parts of a workbook.
 * @throws {Failure} usage: an archive that isn't a workbook, or one in another format
 */
export async function readParts(archive: Archive, path: string): Promise<WorkbookParts> {
  const main = await mainPart(archive, path);
  const linked = await linksOf(archive, main, path);
  const partOf = (kind: string) => linked.find(({ type }) => type.endsWith(`/${kind}`))?.target;
  const sheets: SheetPart[] = [];
  let from1904 = false;
  await readWholeXml(
    { archive, name: main, path },
    {
      open(element, attribute) {
        if (element === "workbookPr") from1904 = isTrue(attribute("date1904"));
        if (element !== "sheet") return;
        const link = linked.find(({ id }) => id === attribute("id"));
        if (link?.type.endsWith("/worksheet") === true)
          sheets.push({ name: attribute("name") ?? "", part: link.target });
      },
    },
  );
  if (sheets.length === 0) throw unreadableSheet(path, "the workbook has no sheet with rows");
  return { sheets, sharedStrings: partOf("sharedStrings"), styles: partOf("styles"), from1904 };
}

/**
 * The named sheet, or the only one.
 * @throws {Failure} usage, with the names of all sheets
 */
export function chooseSheet(sheets: readonly SheetPart[], asked: string | undefined, path: string): SheetPart {
  const names = sheets.map(({ name }) => quote(name)).join(", ");
  if (asked === undefined) {
    const [only] = sheets;
    if (only !== undefined && sheets.length === 1) return only;
    throw unreadableSheet(path, `it has ${sheets.length} sheets: ${names}`, { hint: "Say which: --sheet NAME" });
  }
  // To spreadsheets, names that differ only in case are the same.
  const isNamed = ({ name }: SheetPart) => name.toLowerCase() === asked.toLowerCase();
  const found = sheets.find(({ name }) => name === asked) ?? sheets.find(isNamed);
  if (found !== undefined) return found;
  throw unreadableSheet(path, `it has no sheet ${quote(asked)}`, { hint: `Its sheets: ${names}` });
}

export function isTrue(text: string | undefined): boolean {
  return text === "1" || text === "true";
}

async function mainPart(archive: Archive, path: string): Promise<string> {
  if (archive.paths.has("_rels/.rels")) {
    const main = (await linksOf(archive, "", path)).find(({ type }) => type.endsWith("/officeDocument"))?.target;
    if (main?.endsWith(".bin") === true) throw unreadableSheet(path, "it is a binary workbook (.xlsb)", saveAgain);
    if (main?.startsWith("xl/") === true || main?.endsWith("workbook.xml") === true) return main;
  }
  const what = archive.paths.has("content.xml") ? "an OpenDocument file (.ods)" : "a ZIP archive, and no workbook";
  throw unreadableSheet(path, `it is ${what}`, saveAgain);
}

const saveAgain = { hint: "Save it again as .xlsx or as CSV UTF-8, or name another file." };

interface Link {
  readonly id: string;
  readonly type: string;
  /** A path within the archive. */
  readonly target: string;
}

/** What a part links to; the archive itself has links, too. */
async function linksOf(archive: Archive, part: string, path: string): Promise<Link[]> {
  const folder = posix.dirname(part);
  const name = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const links: Link[] = [];
  if (!archive.paths.has(name)) throw damaged(path, `it has no part ${name}`);
  await readWholeXml(
    { archive, name, path },
    {
      open(element, attribute) {
        if (element !== "Relationship" || attribute("TargetMode") === "External") return;
        const target = posix.join("/", folder, attribute("Target") ?? "");
        const rooted =
          attribute("Target")?.startsWith("/") === true ? posix.normalize(attribute("Target") ?? "") : target;
        links.push({ id: attribute("Id") ?? "", type: attribute("Type") ?? "", target: rooted.slice(1) });
      },
    },
  );
  return links;
}
