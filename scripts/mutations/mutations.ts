import { ageMutations } from "./age.ts";
import { diskMutations } from "./disk.ts";
import { evidenceMutations } from "./evidence.ts";
import { lastWordMutations } from "./last-words.ts";
import { limitMutations } from "./limits.ts";
import { redactionMutations } from "./redactions.ts";
import { repeatMutations } from "./repeats.ts";
import type { Mutation } from "./mutation.ts";

/** What keeps money safe, got wrong on purpose: each of these was a way in which it went wrong somewhere. */
export const mutations: readonly Mutation[] = [
  ...limitMutations,
  ...lastWordMutations,
  ...redactionMutations,
  ...repeatMutations,
  ...ageMutations,
  ...diskMutations,
  {
    name: "the journal in WAL mode, synced now and then",
    edits: [
      {
        file: "src/storage/sqlite/database.ts",
        text: "PRAGMA synchronous = FULL;",
        instead: "PRAGMA synchronous = NORMAL;",
      },
      {
        file: "src/storage/sqlite/database.ts",
        text: '"PRAGMA journal_mode = TRUNCATE");\n    if (mode !== "truncate"',
        instead: '"PRAGMA journal_mode = WAL");\n    if (mode !== "wal"',
      },
    ],
    tests: ["test/journal/power-loss.test.ts"],
    only: "after a power loss at any moment",
  },
  {
    name: "the journal with SQLite's default rollback journal",
    edits: [
      {
        file: "src/storage/sqlite/database.ts",
        text: '"PRAGMA journal_mode = TRUNCATE");\n    if (mode !== "truncate"',
        instead: '"PRAGMA journal_mode = DELETE");\n    if (mode !== "delete"',
      },
    ],
    tests: ["test/journal/power-loss.test.ts"],
    only: "after a power loss at any moment",
  },
  {
    name: "HTTP/2, where the service offers it",
    edits: [
      {
        file: "src/host/http/connect.ts",
        text: 'ALPNProtocols: ["http/1.1"]',
        instead: 'ALPNProtocols: ["h2", "http/1.1"]',
      },
    ],
    tests: ["test/movements/wire.test.ts", "test/movements/many-requests.test.ts"],
    only: "HTTP/2",
  },
  {
    name: "written to the journal when the answer is there",
    edits: [
      {
        file: "src/client/mover.ts",
        text: "          claim.beforeFirstByte(requestId);\n",
        instead: "",
      },
      {
        file: "src/client/mover.ts",
        text: 'return { kind: "answered"',
        instead: 'claim.beforeFirstByte(requestId);\n      return { kind: "answered"',
      },
    ],
    tests: ["test/movements/processes.test.ts", "test/movements/broken-answers.test.ts"],
    only: "when the request has arrived|cut off after any byte by end",
  },
  {
    name: "any answer of 2xx taken for a success",
    edits: [
      {
        file: "src/contract/answers/verdict.ts",
        text: 'if (whose.is === "another") return',
        instead: 'if (answer["none"] === "another" && whose.is === "another") return',
      },
      {
        file: "src/contract/answers/verdict.ts",
        text: "ids.find((name) => textIn(answer, name) === undefined)",
        instead: "ids.find((name) => name === undefined)",
      },
    ],
    tests: ["test/movements/classification.test.ts", "test/movements/bit-flips.test.ts"],
    only: "transfer: ",
  },
  {
    name: "a status word that nobody knows taken for a success",
    edits: [
      {
        file: "src/contract/answers/verdict.ts",
        text: 'meaning === "torn" ? "unknown" : meaning',
        instead: 'meaning === "torn" ? "accepted" : meaning',
      },
    ],
    tests: ["test/movements/classification.test.ts"],
  },
  {
    name: "an error that does not say its own status believed",
    edits: [
      {
        file: "src/contract/answers/verdict.ts",
        text: "problem?.statusCode === http && (",
        instead: "problem !== undefined && (",
      },
    ],
    tests: ["test/movements/classification.test.ts"],
  },
  {
    name: "a reference that the service knows taken for refused",
    edits: [
      {
        file: "src/contract/answers/verdict.ts",
        text: "new Set([400, 401, 403, 404])",
        instead: "new Set([400, 401, 403, 404, 409])",
      },
      { file: "src/contract/answers/duplicate.ts", text: "return errorFields.some(", instead: "return [].some(" },
    ],
    tests: ["test/movements/classification.test.ts"],
  },
  {
    name: "a reference that the service knows told by its one documented word alone",
    edits: [
      {
        file: "src/contract/answers/duplicate.ts",
        text: "/duplicat|\\bunique\\b|already (?:been |in |was )?(?:use|exist|taken|process|register|submit|receiv|present|known)/i",
        instead: "/^DUPLICATE_REQUEST$/",
      },
    ],
    tests: ["test/movements/answer-sentences.test.ts"],
  },
  {
    name: "a refusal believed that does not say of which order",
    edits: [
      {
        file: "src/contract/answers/verdict.ts",
        text: 'if (!isOurs) return "did not say which order it meant";',
        instead: "void isOurs;",
      },
    ],
    tests: ["test/movements/answer-sentences.test.ts", "test/movements/classification.test.ts"],
  },
  {
    name: "a refusal by its status believed that names another order",
    edits: [
      {
        file: "src/contract/answers/verdict.ts",
        text: "if (foreign !== undefined) return",
        instead: "if (foreign === null) return",
      },
    ],
    tests: ["test/movements/answer-sentences.test.ts"],
  },
  {
    name: "a success believed beside an error",
    edits: [
      {
        file: "src/contract/answers/verdict.ts",
        text: 'if (isFailure(answer)) return "also named an error";',
        instead: "void isFailure;",
      },
    ],
    tests: ["test/movements/answer-sentences.test.ts"],
  },
  {
    name: "the last of two equal names of an answer believed",
    edits: [{ file: "src/json/reader.ts", text: "if (this.#namesOnce && ", instead: "if (name === undefined && " }],
    tests: ["test/movements/answer-sentences.test.ts", "test/commands/answer-and-callback.test.ts"],
    only: "twice|two ids|two statuses",
  },
  {
    name: "a refusal that a callback contradicts left as one",
    edits: [
      {
        file: "src/journal/dispute.ts",
        text: 'if (known.evidence === "statement" || ',
        instead: 'if (known.evidence !== "person" || ',
      },
    ],
    tests: ["test/commands/answer-and-callback.test.ts", "test/journal/sqlite.test.ts"],
    only: "comes late|a callback that says",
  },
  {
    name: "a refusal put down before the callback that contradicts it is looked at",
    edits: [
      {
        file: "src/movements/waiting/callback-collector.ts",
        text: "if (other === undefined) return settlement;",
        instead: "if (other !== null) return settlement;",
      },
    ],
    tests: ["test/commands/answer-and-callback.test.ts"],
    only: "not for a moment",
  },
  {
    name: "what was paid and reversed taken for refused, to be sent again",
    edits: [
      { file: "src/contract/answers/status-words.ts", text: 'REVERSED: "reversed"', instead: 'REVERSED: "refused"' },
    ],
    tests: ["test/movements/answer-sentences.test.ts"],
    only: "reversed",
  },
  {
    name: "money over connections that are kept and used again",
    edits: [{ file: "src/client/mover.ts", text: "freshConnection: true", instead: "freshConnection: false" }],
    tests: ["test/movements/wire.test.ts", "test/movements/many-requests.test.ts"],
    only: "share a connection|closes connections",
  },
  {
    name: "what switches the protocol passed over like an interim answer",
    edits: [{ file: "src/host/http/interim.ts", text: '"1", "0", "023", ', instead: '"1", "0", "0123", ' }],
    tests: ["test/host/interim.test.ts", "test/movements/classification.test.ts"],
    only: "101",
  },
  {
    name: "interim answers passed over without end",
    edits: [
      { file: "src/host/http/interim.ts", text: "return this.#count > interimMaxCount;", instead: "return false;" },
    ],
    tests: ["test/host/interim.test.ts"],
    only: "more than are allowed",
  },
  {
    name: "a redirect followed",
    edits: [
      {
        file: "src/host/http/http-transport.ts",
        text: "  return async (request) => {",
        instead: "  return async function send(request): Promise<any> {",
      },
      {
        file: "src/host/http/http-transport.ts",
        text: "    return exchange.response;",
        instead:
          '    const answer = await exchange.response;\n    const to = answer.headers["location"];\n    return to === undefined ? answer : send({ ...request, onSending: undefined, url: new URL(to, request.url).href });',
      },
    ],
    tests: ["test/movements/wire.test.ts", "test/movements/classification.test.ts"],
    only: "transfer: a 307|transfer: 307",
  },
  {
    name: "a request to move money sent again after a reset",
    edits: [
      {
        file: "src/client/mover.ts",
        text: "async send(claim: Claim, { endpoint, credentials, requestId, ...options }: SendOptions): Promise<Sent> {",
        instead:
          "async send(claim: Claim, { endpoint, credentials, requestId, ...options }: SendOptions, times = 1): Promise<Sent> {",
      },
      {
        file: "src/client/mover.ts",
        text: "      if (!(cause instanceof WireError)) {",
        instead:
          '      if (times === 1 && cause instanceof WireError && cause.trouble === "reset")\n        return await this.send(claim, { endpoint, credentials, requestId, ...options }, 2);\n      if (!(cause instanceof WireError)) {',
      },
      {
        file: "src/client/mover.ts",
        text: "    if (used.has(claim))",
        instead: "    if (times === 1 && used.has(claim))",
      },
      {
        file: "src/client/mover.ts",
        text: "    await claim.beforeDialling(requestId);",
        instead: "    if (times === 1) await claim.beforeDialling(requestId);",
      },
      {
        file: "src/client/mover.ts",
        text: "          claim.beforeFirstByte(requestId);",
        instead: "          if (times === 1) claim.beforeFirstByte(requestId);",
      },
    ],
    tests: ["test/movements/broken-answers.test.ts", "test/simulation/simulation.test.ts"],
    only: "cut off after any byte by reset|statements and journal agree",
  },
  {
    name: "a claim that the journal never made taken for one of its own",
    edits: [{ file: "src/client/mover.ts", text: "!Issued.has(claim) || ", instead: "" }],
    tests: ["test/client/mover.test.ts"],
  },
  {
    name: "an order sent by a claim that was used",
    edits: [{ file: "src/client/mover.ts", text: "    used.add(claim);\n", instead: "" }],
    tests: ["test/client/mover.test.ts"],
  },
  {
    name: "a claim that can be made to put nothing on record",
    edits: [{ file: "src/journal/issued.ts", text: "  Object.freeze(issued);\n", instead: "" }],
    tests: ["test/client/mover.test.ts"],
  },
  {
    name: "anything read that calls itself a read",
    edits: [
      {
        file: "src/contract/endpoint.ts",
        text: 'Specified.has(endpoint) && endpoint.effect === "reads"',
        instead: 'endpoint.effect === "reads"',
      },
    ],
    tests: ["test/client/mover.test.ts"],
  },
  {
    name: "the outcome told before it is on the disk",
    edits: [
      {
        file: "src/movements/perform.ts",
        text: "return { movement: await claim.settle(settlement), sentNow: true };",
        instead:
          "void claim.settle(settlement).catch(() => undefined);\n    return { movement: { ...claim.movement, state: settlement.state, note: settlement.note ?? null }, sentNow: true };",
      },
    ],
    tests: ["test/movements/journal-failures.test.ts"],
  },
  {
    name: "a claim that others have taken over used to send",
    edits: [
      {
        file: "src/journal/transitions.ts",
        text: 'if (row.claim !== token || row.state !== "prepared") throw',
        instead: 'if (row.state !== "prepared") throw',
      },
    ],
    tests: ["test/journal/sqlite.test.ts"],
  },
  {
    name: "an outcome put down by whom others have taken over",
    edits: [
      {
        file: "src/journal/transitions.ts",
        text: "if (row.claim !== token) return",
        instead: "if (row.claim === '') return",
      },
    ],
    tests: ["test/journal/sqlite.test.ts"],
  },
  {
    name: "a journal that is missing made anew without a word",
    edits: [
      { file: "src/journal/sqlite/open.ts", text: "if (!existed) return 0;", instead: "return 0;" },
      {
        file: "src/journal/sqlite/open.ts",
        text: "if (isBlank(database) && expected === undefined)",
        instead: "if (isBlank(database))",
      },
      {
        file: "src/journal/sqlite/open.ts",
        text: "if (expected !== undefined && expected !== id) throw",
        instead: "if (expected === null) throw",
      },
    ],
    tests: ["test/journal/place.test.ts"],
  },
  {
    name: "an order that was being sent taken over and sent again",
    edits: [
      {
        file: "src/journal/movement.ts",
        text: 'claim: { prepared: ["prepared"], ',
        instead: 'claim: { prepared: ["prepared"], sending: ["prepared"], unknown: ["prepared"], ',
      },
    ],
    tests: ["test/journal/sqlite.test.ts", "test/movements/processes.test.ts"],
    only: "abandoned while sending|transfer: SIGKILL when",
  },
  {
    name: "a run that does not know ending with 0",
    edits: [
      {
        file: "src/movements/movement-report.ts",
        text: 'if (state === "unknown" || state === "sending") {',
        instead: 'if (state === "sending") {',
      },
    ],
    tests: ["test/movements/classification.test.ts"],
  },
  {
    name: "a callback believed that names another transaction",
    edits: [
      {
        file: "src/movements/waiting/callback-matcher.ts",
        text: 'if (mustMatch && transactionId !== this.#transactionId) return { kind: "foreign" };',
        instead: "void mustMatch;",
      },
    ],
    tests: ["test/movements/collect-matcher.test.ts"],
  },
  {
    name: "a callback believed that names another reference",
    edits: [
      {
        file: "src/movements/waiting/callback-matcher.ts",
        text: 'if (callback.reference !== this.#reference) return { kind: "foreign" };',
        instead: "",
      },
    ],
    tests: ["test/movements/collect-matcher.test.ts"],
  },
  ...evidenceMutations,
  {
    name: "the limit of a day looked at before the order is taken hold of, and not again",
    edits: [{ file: "src/movements/perform.ts", text: "{ ...asked, guard, check }", instead: "{ ...asked, check }" }],
    tests: ["test/movements/guards.test.ts"],
  },
  {
    name: "a webhook's signature decoded before it is compared",
    edits: [
      {
        file: "src/contract/webhooks/webhook.ts",
        text: "if (!signatureForm.test(signature)) return",
        instead: 'if (signature === "") return',
      },
      {
        file: "src/contract/webhooks/webhook.ts",
        text: 'const claimed = Buffer.from(content.signature, "utf8");',
        instead: 'const claimed = Buffer.from(content.signature, "base64");',
      },
      {
        file: "src/contract/webhooks/webhook.ts",
        text: 'Buffer.from(signWebhook(content, key), "utf8");',
        instead: 'Buffer.from(signWebhook(content, key), "base64");',
      },
    ],
    tests: ["test/contract/webhook.test.ts", "test/webhooks/forgeries.test.ts"],
  },
  {
    name: "a webhook answered before it is on the disk",
    edits: [
      {
        file: "src/webhooks/listen/handler.ts",
        text: "const number = await inbox.store(event);",
        instead: "const number = 1;\n  void inbox.store(event).catch(() => undefined);",
      },
    ],
    tests: ["test/webhooks/acknowledgement.test.ts"],
  },
  {
    name: "a webhook answered before the inbox's log is on the disk",
    edits: [{ file: "src/storage/group-commit.ts", text: "[log.sync(), this.#syncing]", instead: "[this.#syncing]" }],
    tests: ["test/webhooks/power-loss.test.ts"],
  },
];
