import type { Mutation } from "./mutation.ts";

/** Mistakes that lose an outcome which was known, or could have been. */
export const lastWordMutations: readonly Mutation[] = [
  {
    name: "stopped: an order in flight broken off by the first signal",
    edits: [
      {
        file: "src/client/mover.ts",
        text: "(sending ? undefined : stop.abort(signal.reason))",
        instead: "stop.abort(signal.reason)",
      },
    ],
    tests: ["test/movements/interruption.test.ts", "test/movements/signals.test.ts"],
    only: "transfer: SIGINT while money is in flight waits|SIGINT in a batch: every row",
  },
  {
    name: "stopped: HUP left to the system",
    edits: [
      {
        file: "src/host/process/stop-signals.ts",
        text: 'process.on("SIGHUP", isHangUpIgnored() ? () => undefined : () => stop("SIGHUP"));',
        instead: "",
      },
    ],
    tests: ["test/movements/signals.test.ts", "test/host/process-host.test.ts"],
    only: "SIGHUP in a batch: every row|SIGHUP asks the program",
  },
  {
    name: "stopped: a terminal that closes taken for impatience",
    edits: [
      {
        file: "src/host/process/stop-signals.ts",
        text: '(signal === "SIGHUP" && hadTerminal',
        instead: "(false && hadTerminal",
      },
    ],
    tests: ["test/movements/signals.test.ts"],
    only: "a closed terminal loses no outcome",
  },
  {
    name: "stopped: a signal that was sent on taken for a second one",
    edits: [{ file: "src/host/process/stop-signals.ts", text: "sinceMs < echoMs || ", instead: "" }],
    tests: ["test/movements/signals.test.ts"],
    only: "that is also forwarded",
  },
  {
    name: "stopped: an outcome in flight not told after the second signal",
    edits: [{ file: "src/host/process/stop-signals.ts", text: "isHeld = true;", instead: "isHeld = false;" }],
    tests: ["test/movements/signals.test.ts"],
    only: "SIGTERM twice in a batch",
  },
  {
    name: "slip: an outcome that the journal does not take is dropped",
    edits: [
      {
        file: "src/journal/slips/folder.ts",
        text: "await this.#write(path, bytes);\n    } catch {",
        instead: "return path;\n    } catch {",
      },
    ],
    tests: ["test/movements/slips.test.ts"],
    only: "transfer: an outcome that a locked journal",
  },
  {
    name: "slip: dropped where the server that took over does not know the order",
    edits: [
      {
        file: "src/journal/slips/slip-journal.ts",
        text: 'return result.outcome === "entered" || result.outcome === "lost" ? result : undefined;',
        instead: "return result;",
      },
    ],
    tests: ["test/commands/journal-age-open-runs.test.ts"],
    only: "leaves its outcome beside the journal",
  },
  {
    name: "slip: believed whatever its claim",
    edits: [
      { file: "src/journal/slips/slip-journal.ts", text: "return claim === sent.claim;", instead: "return true;" },
    ],
    tests: ["test/movements/slips.test.ts"],
    only: "with a claim that nobody had",
  },
  {
    name: "slip: entered whatever others decided meanwhile",
    edits: [
      {
        file: "src/journal/slips/entering.ts",
        text: 'if (outcome === "lost") return lost(movement.state);',
        instead: 'if (outcome === "lost") return entered;',
      },
    ],
    tests: ["test/movements/slips.test.ts"],
    only: "with the contradiction in its history",
  },
  {
    name: "slip: entered as often as it is found",
    edits: [
      {
        file: "src/journal/transitions.ts",
        text: "if (row.claim === claim && isOnRecord(row, settlement))",
        instead: "if (isOnRecord(row, { ...settlement, response: claim }))",
      },
    ],
    tests: ["test/movements/slips.test.ts", "test/journal/sqlite.test.ts"],
    only: "gave the same outcome|is entered by another process, once",
  },
  {
    name: "held up: a look at names and balances waits as long as any read",
    edits: [
      {
        file: "src/client/reader.ts",
        text: "Math.min(this.#settings.timeoutMs, limits.lookMaxMs)",
        instead: "this.#settings.timeoutMs",
      },
    ],
    tests: ["test/movements/slow-looks.test.ts"],
    only: "transfer: the order is not delayed when nothing",
  },
  {
    name: "held up: a large journal locked while all of it is verified",
    edits: [
      {
        file: "src/journal/sqlite/verify.ts",
        text: "if (isQuicklyRead(database)) checkStructure(database);",
        instead: "if (isQuicklyRead(database) || true) checkStructure(database);",
      },
    ],
    tests: ["test/journal/unlocked.test.ts"],
    only: "is verified, others commit",
  },
  {
    name: "under way: another host's order judged by this host's clock",
    edits: [
      {
        file: "src/journal/postgres/open.ts",
        text: "serverTime(host.clock, serverNow, asked)",
        instead: "serverTime(host.clock, serverNow && host.clock.now(), asked)",
      },
    ],
    tests: ["test/commands/journal-shared.test.ts"],
    only: "whose clock is an hour ahead",
  },
  {
    name: "under way: the faster of two clocks ends another host's order",
    edits: [
      { file: "src/journal/lease.ts", text: "Math.min(...since(answered))", instead: "Math.max(...since(answered))" },
    ],
    tests: ["test/journal/lease.test.ts"],
    only: "set ahead during a run",
  },
  {
    name: "under way: the slower of two clocks ends this host's order",
    edits: [{ file: "src/journal/lease.ts", text: "Math.max(...since(asked))", instead: "Math.min(...since(asked))" }],
    tests: ["test/journal/lease.test.ts"],
    only: "set back during a run|slept for an hour",
  },
];
