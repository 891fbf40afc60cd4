import type { Host } from "../../../host/host.ts";
import type { SharedDatabase } from "../../../storage/postgres/database.ts";
import { MovementWriter, whoOf } from "../../movement-writer.ts";
import { namesProofsSql, proofsNamedIn } from "../../history/proof-names.ts";
import { textColumn } from "../../history/row.ts";
import { byIdSql } from "../lookups.ts";
import { movementIn, PostgresTransaction } from "../rows.ts";

const idsSql = `SELECT DISTINCT m.number, m.id FROM partner.proofs p JOIN partner.movements m ON m.number = p.movement
  WHERE NOT EXISTS (SELECT FROM partner.events e WHERE e.movement = p.movement AND ${namesProofsSql}
    AND strpos(e.replaced, p.row_key) > 0) ORDER BY m.number`;
const proofsSql = 'SELECT row_key, "row" FROM partner.proofs WHERE movement = $1';
const linesSql = `SELECT e.replaced FROM partner.events e WHERE e.movement = $1 AND ${namesProofsSql}`;

/** Has history name rows that prove orders and were kept by an earlier version. It continues after an interruption. */
export async function nameSharedProofs(host: Host, database: SharedDatabase, version: string): Promise<void> {
  for (const record of await database.read(idsSql))
    await database.write(async (transaction) => {
      const [[found] = []] = await transaction.run({
        text: `${byIdSql} FOR UPDATE`,
        values: [textColumn(record, "id")],
      });
      const row = movementIn(found);
      if (row === undefined) return;
      const asked = [linesSql, proofsSql].map((text) => ({ text, values: [row.number] }));
      const [lines = [], proofs = []] = await transaction.run(...asked);
      const named = new Set(lines.flatMap((line) => [...proofsNamedIn(textColumn(line, "replaced")).keys()]));
      const left = proofs
        .map((proof) => ({ key: textColumn(proof, "row_key"), row: textColumn(proof, "row") }))
        .filter(({ key }) => !named.has(key));
      const writes = new PostgresTransaction();
      if (left.length > 0) new MovementWriter(host, writes, whoOf(host, version)).nameProofs(row, left);
      writes.write(transaction);
    });
}
