import { elements } from "../../src/json/elements.ts";
import { remit } from "../../src/contract/remittance.ts";
import { judgeAnswer } from "../../src/contract/answers/verdict.ts";
import { decodeJson } from "../../src/contract/wire.ts";
import type { Places, Reader } from "./reader.ts";
import { answered, settled } from "./reader.ts";

const places: Places = {
  "": (run) => run,
  " in a string": (run) => `"${run}"`,
  " in a list": (run) => `[${run}`,
  " in an object": (run) => `{"a":"${run}","b":1}`,
  " in a name": (run) => `{"${run}":1}`,
  " in a number": (run) => `{"a":1${run}}`,
  " behind records": (run) => `[${'{"a":"x","b":1},'.repeat(30)}{"a":"${run}","b":2}]`,
  " behind records, with an escape": (run) => `[${'{"a":"x","b":1},'.repeat(30)}{"a":"\\n${run}","b":2}]`,
};

/** JSON, whole and in pieces, as an answer, as an error, and as the answer to an order. */
export const jsonReaders: readonly Reader[] = Object.entries(places).flatMap(([place, text]): Reader[] => [
  { name: `JSON${place}`, takes: "files", read: (run) => settled(() => decodeJson(text(run))) },
  { name: `JSON in pieces${place}`, takes: "files", read: (run) => settled(() => readElements(text(run))) },
  {
    name: `the answer to an order${place}`,
    takes: "files",
    read: (run) => settled(() => judgeAnswer(200, text(run), remit.receipt, {})),
  },
  answered(`a list${place}`, "wallets list --csv", text),
  answered(`an error${place}`, "wallet balance 42", text, 400),
]);

async function readElements(text: string): Promise<void> {
  const whole = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < whole.length; at += 1009) pieces.push(whole.subarray(at, at + 1009));
  for await (const _ of elements(pieces, []));
}
