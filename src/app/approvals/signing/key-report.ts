import type { SigningKey } from "../../../approvals/signing/key-store.ts";
import { fingerprintOf } from "../../../approvals/signing/public-key.ts";
import type { Row } from "../../../report/report.ts";
import type { Field } from "../../../values/field.ts";
import { isoDarEsSalaam } from "../../../values/time/wall-time.ts";

/** The columns of a registered key. */
export const keyFields = [
  { name: "fingerprint", kind: "id", role: "what" },
  { name: "user", kind: "id", role: "who" },
  { name: "state", kind: "id", role: "state" },
  { name: "type", kind: "id", role: "detail" },
  { name: "comment", kind: "text", role: "detail" },
  { name: "addedAt", kind: "time", title: "added at", role: "when", shortens: "minute" },
  { name: "removedBy", kind: "id", title: "removed by", role: "detail" },
  { name: "removedAt", kind: "time", title: "removed at", role: "when", machineOnly: true },
  { name: "key", kind: "text", machineOnly: true },
] as const satisfies readonly Field[];

export function keyRow({ text, by, comment, at, removed }: SigningKey): Row {
  const [type = ""] = text.split(" ");
  return {
    fingerprint: fingerprintOf(text),
    user: by,
    state: removed === undefined ? "registered" : "removed",
    type,
    comment,
    addedAt: isoDarEsSalaam(at),
    removedBy: removed?.by ?? null,
    removedAt: removed === undefined ? null : isoDarEsSalaam(removed.at),
    key: text,
  };
}
