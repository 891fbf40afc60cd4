import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { hostileRows } from "./hostile-rows.ts";
import type { Told } from "./told.ts";
import { bothKinds, exported, statementBody } from "./told.ts";

async function saved(kind: "wallet" | "merchant", body: string, now = Date.UTC(2026, 2, 31)): Promise<string> {
  const path = join(temporaryFolder(), "statement.parquet");
  const ended = await exported("", kind, body, { flags: `--save ${path}`, world: { now } });
  expect(ended).toMatchObject({ exit: 0, stdout: "" });
  return path;
}

/** The whole numbers behind the decimals of a column: its cells times 10 to its scale, with every digit. */
async function unscaled(path: string, column: string): Promise<(bigint | null)[]> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const schema = metadata.schema.map(({ converted_type: _type, logical_type: _logical, ...rest }) => rest);
  const rows = await parquetReadObjects({ file, metadata: { ...metadata, schema }, columns: [column], utf8: false });
  return rows.map(({ [column]: cell }) =>
    cell instanceof Uint8Array ? BigInt.asIntN(128, BigInt(`0x${Buffer.from(cell).toString("hex")}`)) : null,
  );
}

async function read(path: string) {
  const file = await asyncBufferFromFile(path);
  const { schema } = await parquetMetadataAsync(file);
  return { columns: schema.slice(1), rows: await parquetReadObjects({ file }) };
}

test.each(bothKinds)(
  "another reader finds every field of every row of a %s, amounts as exact decimals",
  async (kind) => {
    const body = statementBody(kind, hostileRows);
    const sent = rowsIn(JSON.parse(body));
    const { columns, rows } = await read(await saved(kind, body));
    const names = Object.keys(sent[0] ?? {});
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    const amounts = columns.filter(({ converted_type: type }) => type === "DECIMAL");
    expect(amounts.map(({ type, scale, precision }) => ({ type, scale, precision }))).toEqual(
      amounts.map(() => ({ type: "INT64", scale: 2, precision: 18 })),
    );
    const isAmount = new Set(amounts.map(({ name }) => name));
    const told = (row: Record<string, unknown>) => names.map((name) => cellOf(row[name], isAmount.has(name)));
    expect(rows.map(told)).toEqual(sent.map(told));
  },
);

test("the same rows give the same bytes on every run", async () => {
  const body = statementBody("wallet", hostileRows);
  const first = readFileSync(await saved("wallet", body));
  expect(readFileSync(await saved("wallet", body, Date.UTC(2031, 1, 1))).equals(first)).toBe(true);
});

test("amounts with many digits or decimals widen the column and lose no digit", async () => {
  const rows: readonly Told[] = [{ amount: "12345678901234567.10" }, { amount: "-0.1255", balance: "-0.1255" }];
  const path = await saved("wallet", statementBody("wallet", rows, "0"));
  const { columns } = await read(path);
  const credited = columns.find(({ name }) => name === "amountCredited");
  expect(credited).toMatchObject({ type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, scale: 4, precision: 38 });
  expect(await unscaled(path, "amountCredited")).toEqual([123456789012345671000n, 0n]);
  expect(await unscaled(path, "amountDebited")).toEqual([null, 1255n]);
  expect(await unscaled(path, "balance")).toEqual([123456789012345671000n, -1255n]);
});

test("a statement without rows is a file with its columns", async () => {
  const { columns, rows } = await read(await saved("wallet", statementBody("wallet", [])));
  expect(columns.map(({ name }) => name)).toContain("tranRefNo");
  expect(rows).toEqual([]);
});

/** The rows of the service's answer. */
function rowsIn(document: unknown): Record<string, unknown>[] {
  if (Array.isArray(document)) return document.map((row: object) => ({ ...row }));
  const { result } = Object(document);
  return rowsIn(result.statement);
}

/** This reader makes doubles of decimals by multiplying. Lone surrogates have no UTF-8, and no amount is null. */
function cellOf(value: unknown, isAmount: boolean): unknown {
  if (isAmount) return typeof value === "number" ? value.toFixed(2) : null;
  return typeof value === "string" ? value.toWellFormed() : value;
}
