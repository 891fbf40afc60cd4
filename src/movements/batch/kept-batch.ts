import { join } from "node:path";
import { JsonError } from "../../json/json-error.ts";
import { decodeJson, encodeJson } from "../../contract/wire.ts";
import type { Files } from "../../host/files/files.ts";
import { isGone } from "../../host/files/gone.ts";
import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import { quote, visible } from "../../values/text/text.ts";
import type { BatchForm } from "./batch-form.ts";
import { kindOf } from "./batch-form.ts";
import { batchBeginningForm, batchId, batchIdForm, digesting, idHint, onlyBatch } from "./identity.ts";

const folderMode = 0o700;
/** Names, accounts and amounts are private: only the owner can read the file. */
const fileMode = 0o600;
const descriptionMaxBytes = 1024 * 1024;

/** The description that is kept with a batch's file: enough to read the file exactly as it was checked. */
export interface KeptBatch {
  readonly id: string;
  readonly scope: string;
  /** The file name that a person typed. */
  readonly file: string;
  readonly form: BatchForm & { readonly delimiter: string };
  /** The path of the copy of the checked file. */
  readonly path: string;
}

/**
 * Keeps the checked file, byte for byte, beside the journal: rows are sent as they were checked, and can be reported
 * when the original file is long gone.
 * @throws {Failure} usage where the file changed since it was checked | setup
 */
export async function keepBatch(
  { files, signal }: Pick<Host, "files" | "signal">,
  batch: Omit<KeptBatch, "path"> & {
    readonly source: string;
    readonly digest: string;
    /** The file's content, where it is not on this machine. */
    readonly content?: AsyncIterable<Uint8Array> | undefined;
  },
  stateFolder: string,
): Promise<KeptBatch> {
  const { id, scope, file, form, source, digest, content } = batch;
  const path = pathOf(stateFolder, id, endingOf(form));
  const facts = (name: string) => files.facts(name);
  const reading = digesting({ signal, files: content === undefined ? files : { facts, chunks: () => content } });
  try {
    await files.makeFolder(join(stateFolder, "batches"), folderMode);
    const isSame = await write(files, path, reading.files.chunks(source), () => reading.digest() === digest);
    if (!isSame) throw changed(source);
    const description = encodeJson(descriptionOf({ id, scope, file, form }), { pretty: true });
    await write(files, pathOf(stateFolder, id, "json"), [`${description}\n`]);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const why = cause instanceof Error && "code" in cause ? String(cause.code) : visible(String(cause));
    throw new Failure("setup", `The batch could not be kept in ${visible(path)} (${why}); nothing was sent.`, {
      hint: "Make room there, and check that you may write to it: partner doctor",
      money: "not moved",
      cause,
    });
  }
  return { id, scope, file, form, path };
}

/** True where a copy of the batch is on this machine, complete or not. */
export async function isKept({ files }: Pick<Host, "files">, id: string, stateFolder: string): Promise<boolean> {
  return (await files.facts(pathOf(stateFolder, id, "json"))) !== undefined;
}

/**
 * Finds a batch that was run on this machine.
 * @param key its id, or a beginning that no other id has
 * @throws {Failure} refused where no batch has that id | usage where several begin with it | setup
 */
export async function findBatch({ files }: Pick<Host, "files">, key: string, stateFolder: string): Promise<KeptBatch> {
  const id = batchBeginningForm.test(key) ? await wholeId(files, key, stateFolder) : key;
  const description = batchIdForm.test(id) ? await readDescription(files, pathOf(stateFolder, id, "json")) : undefined;
  if (description !== undefined) {
    const batch = { ...description, id, path: pathOf(stateFolder, id, endingOf(description.form)) };
    if ((await idOfKept(batch, files)) !== id) throw damaged(batch.path);
    return batch;
  }
  throw new Failure("refused", `There is no batch ${quote(key)} on this machine.`, {
    hint: `${idHint(key)}A batch's id is shown when the batch is run, and again by: partner batch check FILE`,
  });
}

/**
 * The id that begins this way; the beginning itself where none does.
 * @throws {Failure} usage where several do
 */
async function wholeId(files: Files, beginning: string, stateFolder: string): Promise<string> {
  const names = await files.names(join(stateFolder, "batches"));
  const ids = names.flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : []));
  const found = ids.filter((each) => batchIdForm.test(each) && each.startsWith(beginning));
  return onlyBatch(beginning, found) ?? beginning;
}

/**
 * The batch id computed from the copy: it changes if rows were lost or edited.
 */
async function idOfKept({ path, form, scope }: KeptBatch, files: Files): Promise<string | undefined> {
  const reading = digesting({ files, signal: new AbortController().signal });
  try {
    for await (const chunk of reading.files.chunks(path)) void chunk;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
  return batchId(reading.digest(), form, scope);
}

async function readDescription(files: Files, path: string): Promise<Omit<KeptBatch, "id" | "path"> | undefined> {
  try {
    if ((await files.facts(path)) === undefined) return undefined;
    const text = new TextDecoder().decode(await files.read(path, descriptionMaxBytes));
    const value = decodeJson(text);
    if (isJsonObject(value)) return formOf(value);
  } catch (error) {
    // Another run may have removed it meanwhile, as an expired one.
    if (await isGone(files, path, error)) return undefined;
    if (!(error instanceof JsonError)) throw error;
  }
  throw damaged(path);
}

function damaged(path: string): Failure {
  return new Failure("setup", `${visible(path)} is damaged.`, {
    hint: "Run the same file again: the journal knows what was sent, and nothing is sent twice.",
  });
}

/** The description of a batch as JSON. */
export function descriptionOf({ id, scope, file, form }: Omit<KeptBatch, "path">): JsonObject {
  const { kind = null, constants, defaults, tagged, delimiter, sheet, round } = form;
  return {
    id,
    scope,
    file,
    kind,
    delimiter,
    tagged,
    ...(sheet === undefined ? {} : { sheet }),
    ...(round === undefined ? {} : { round: Numeral.of(round) }),
    constants: Object.fromEntries(constants),
    defaults: Object.fromEntries(defaults),
  };
}

/** Reads such a description. */
export function formOf(value: JsonObject): Omit<KeptBatch, "id" | "path"> {
  const { scope, file, kind, delimiter, tagged, sheet, round, constants, defaults } = value;
  return {
    scope: textOf(scope),
    file: textOf(file),
    form: {
      kind: typeof kind === "string" ? kindOf(kind) : undefined,
      delimiter: textOf(delimiter),
      tagged: tagged === true,
      sheet: typeof sheet === "string" ? sheet : undefined,
      round: round instanceof Numeral ? Number(round.toString()) : undefined,
      constants: mapOf(constants),
      defaults: mapOf(defaults),
    },
  };
}

function mapOf(value: JsonValue | undefined): Map<string, string> {
  return new Map(isJsonObject(value) ? Object.entries(value).map(([name, text]) => [name, textOf(text)]) : []);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Writes a file, unless `isGood` is false once all chunks are written. @returns what it says */
async function write(
  files: Files,
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<string>,
  isGood = () => true,
): Promise<boolean> {
  const draft = await files.draft(path, fileMode);
  try {
    for await (const chunk of chunks) await draft.write(chunk);
    const good = isGood();
    if (good) await draft.commit();
    return good;
  } finally {
    await draft.abandon();
  }
}

function endingOf({ sheet }: BatchForm): "csv" | "xlsx" {
  return sheet === undefined ? "csv" : "xlsx";
}

function pathOf(stateFolder: string, id: string, ending: "csv" | "xlsx" | "json"): string {
  return join(stateFolder, "batches", `${id}.${ending}`);
}

function changed(source: string): Failure {
  return new Failure("usage", `${visible(source)} is no longer what was checked; nothing was sent.`, {
    hint: "Run it again when no program writes to it. What comes through a pipe can be read once only: save it in a file.",
    money: "not moved",
  });
}
