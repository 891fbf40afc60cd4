import { evidenceMutations } from "./evidence.ts";
import { limitMutations } from "./limits.ts";
import type { Mutation } from "./mutation.ts";

/** What keeps money safe, got wrong on purpose: each of these was a way in which it went wrong somewhere. */
export const mutations: readonly Mutation[] = [
  ...limitMutations,
  {
    name: "the journal in WAL mode, synced now and then",
    edits: [
      { file: "src/storage/database.ts", text: "PRAGMA synchronous = FULL;", instead: "PRAGMA synchronous = NORMAL;" },
      {
        file: "src/storage/database.ts",
        text: '"PRAGMA journal_mode = TRUNCATE");\n    if (mode !== "truncate"',
        instead: '"PRAGMA journal_mode = WAL");\n    if (mode !== "wal"',
      },
    ],
    tests: ["test/journal/power-loss.test.ts"],
    only: "is there after a power loss",
  },
  {
    name: "the journal with SQLite's default rollback journal",
    edits: [
      {
        file: "src/storage/database.ts",
        text: '"PRAGMA journal_mode = TRUNCATE");\n    if (mode !== "truncate"',
        instead: '"PRAGMA journal_mode = DELETE");\n    if (mode !== "delete"',
      },
    ],
    tests: ["test/journal/power-loss.test.ts"],
    only: "is there after a power loss",
  },
  {
    name: "HTTP/2, where the service offers it",
    edits: [
      { file: "src/host/undici.ts", text: "allowH2: false", instead: "allowH2: true" },
      {
        file: "src/host/dialling.ts",
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
        text: "          onSending();\n          sending = true;",
        instead: "          sending = true;",
      },
      {
        file: "src/client/mover.ts",
        text: 'return { kind: "answered"',
        instead: 'onSending();\n      return { kind: "answered"',
      },
    ],
    tests: ["test/movements/processes.test.ts", "test/movements/broken-answers.test.ts"],
    only: "when the request has arrived|breaks off after by end",
  },
  {
    name: "any answer of 2xx taken for a success",
    edits: [
      {
        file: "src/contract/verdict.ts",
        text: "  const doubt = doubtOf(answer, receipt, sent);",
        instead: "  const doubt = doubtOf({}, { ...receipt, ids: [] }, sent);",
      },
    ],
    tests: ["test/movements/classification.test.ts", "test/movements/bit-flips.test.ts"],
    only: "transfer: ",
  },
  {
    name: "a status word that nobody knows taken for a success",
    edits: [
      {
        file: "src/contract/verdict.ts",
        text: 'if (meaning === undefined) return "unknown";',
        instead: 'if (meaning === undefined) return "accepted";',
      },
    ],
    tests: ["test/movements/classification.test.ts"],
  },
  {
    name: "an error that does not say its own status believed",
    edits: [
      {
        file: "src/contract/verdict.ts",
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
        file: "src/contract/verdict.ts",
        text: "new Set([400, 401, 403, 404])",
        instead: "new Set([400, 401, 403, 404, 409])",
      },
    ],
    tests: ["test/movements/classification.test.ts"],
  },
  {
    name: "money over connections that are kept and used again",
    edits: [{ file: "src/client/mover.ts", text: "freshConnection: true", instead: "freshConnection: false" }],
    tests: ["test/movements/wire.test.ts", "test/movements/many-requests.test.ts"],
    only: "share a connection|hangs up on connections",
  },
  {
    name: "what switches the protocol passed over like an interim answer",
    edits: [{ file: "src/host/interim.ts", text: '"1", "0", "023", ', instead: '"1", "0", "0123", ' }],
    tests: ["test/host/interim.test.ts", "test/movements/classification.test.ts"],
    only: "101",
  },
  {
    name: "interim answers passed over without end",
    edits: [{ file: "src/host/interim.ts", text: "return this.#count > interimMaxCount;", instead: "return false;" }],
    tests: ["test/host/interim.test.ts"],
    only: "more than are allowed",
  },
  {
    name: "a redirect followed",
    edits: [
      {
        file: "src/host/http-transport.ts",
        text: "  return async (request) => {",
        instead: "  return async function send(request): Promise<any> {",
      },
      {
        file: "src/host/http-transport.ts",
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
        text: "signal, giveUp, onSending }: Consignment): Promise<Sent> {",
        instead: "signal, giveUp, onSending }: Consignment, times = 1): Promise<Sent> {",
      },
      {
        file: "src/client/mover.ts",
        text: "      if (!(cause instanceof WireError)) {",
        instead:
          '      if (times === 1 && cause instanceof WireError && cause.trouble === "reset")\n        return this.send({ endpoint, encoded, credentials, requestId, signal, giveUp, onSending: () => undefined }, 2);\n      if (!(cause instanceof WireError)) {',
      },
    ],
    tests: ["test/movements/broken-answers.test.ts", "test/simulation/simulation.test.ts"],
    only: "breaks off after by reset|statements and journal agree",
  },
  {
    name: "the outcome told before it is on the disk",
    edits: [
      {
        file: "src/movements/perform.ts",
        text: "return { movement: await claim.settle(settlementOf(sent, endpoint.receipt, input)), sentNow: true };",
        instead:
          "const settled = settlementOf(sent, endpoint.receipt, input);\n    void claim.settle(settled).catch(() => undefined);\n    return { movement: { ...claim.movement, state: settled.state, note: settled.note ?? null }, sentNow: true };",
      },
    ],
    tests: ["test/movements/journal-trouble.test.ts"],
  },
  {
    name: "a claim that others have taken over used to send",
    edits: [
      {
        file: "src/journal/proceedings.ts",
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
        file: "src/journal/proceedings.ts",
        text: "if (row.claim !== token || !mayPass(",
        instead: "if (!mayPass(",
      },
    ],
    tests: ["test/journal/sqlite.test.ts"],
  },
  {
    name: "a journal that is missing made anew without a word",
    edits: [
      { file: "src/journal/sqlite.ts", text: "if (!existed) return 0;", instead: "return 0;" },
      {
        file: "src/journal/sqlite.ts",
        text: "if (isBlank(database) && remembered === undefined)",
        instead: "if (isBlank(database))",
      },
      {
        file: "src/journal/sqlite.ts",
        text: "if (remembered !== undefined && remembered.id !== id) {",
        instead: "if (remembered === null) {",
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
    only: "left while sending|transfer: SIGKILL when",
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
        file: "src/movements/callback-matcher.ts",
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
        file: "src/movements/callback-matcher.ts",
        text: 'if (callback.reference !== this.#reference) return { kind: "foreign" };',
        instead: "",
      },
    ],
    tests: ["test/movements/collect-matcher.test.ts"],
  },
  ...evidenceMutations,
  {
    name: "the limit of a day looked at before the order is taken hold of, and not again",
    edits: [
      { file: "src/movements/perform.ts", text: "deadlineMs, batch, guard });", instead: "deadlineMs, batch });" },
    ],
    tests: ["test/movements/guards.test.ts"],
  },
  {
    name: "a webhook's signature decoded before it is compared",
    edits: [
      {
        file: "src/contract/webhook.ts",
        text: "if (!signatureForm.test(signature)) return",
        instead: 'if (signature === "") return',
      },
      {
        file: "src/contract/webhook.ts",
        text: 'const claimed = Buffer.from(content.signature, "utf8");',
        instead: 'const claimed = Buffer.from(content.signature, "base64");',
      },
      {
        file: "src/contract/webhook.ts",
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
        file: "src/webhooks/reception.ts",
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
