import type { Mutation } from "./mutation.ts";

const judgement = "src/journal/age/judgement.ts";
const known = "src/journal/age/known-accounts.ts";
const taken = "src/journal/age/taken-journal.ts";
const recovery = "src/evidence/recovery.ts";
const age = ["test/commands/journal-age.test.ts"] as const;
const rollback = ["test/commands/journal-rollback.test.ts"] as const;
const recover = ["test/commands/journal-recover.test.ts"] as const;
const shared = ["test/commands/journal-age-shared.test.ts"] as const;
const places = ["test/commands/journal-places-shared.test.ts"] as const;

/** What a journal knows of its own age and of others, got wrong on purpose. */
export const ageMutations: readonly Mutation[] = [
  // How far it was.
  {
    name: "a journal with fewer events than its mark taken for current",
    edits: [
      { file: judgement, text: "if (mark.number > end.number) return", instead: "if (mark.number < 0) return" },
      {
        file: judgement,
        text: "const isShown = mark.seal",
        instead: "const isShown = seal !== undefined && mark.seal",
      },
    ],
    tests: [...age, ...rollback],
    only: "of the four orders sent|within R-2",
  },
  {
    name: "a journal that went on from an earlier state taken for the one that was marked",
    edits: [
      { file: judgement, text: "if (isShown && seal !== mark.seal)", instead: "if (isShown && seal === undefined)" },
    ],
    tests: age,
    only: "then used with other profiles",
  },
  {
    name: "the mark kept when the outcome is there, and not before the order leaves",
    edits: [
      {
        file: "src/journal/age/registration.ts",
        text: "this.#found.marks.keep({ ...this.#mark, ...end });\n    this.#advance(end);",
        instead: "void end;",
      },
      {
        file: "src/journal/age/registration.ts",
        text: "this.#found.marks.note(this.#mark);",
        instead: "void this.#found;",
      },
    ],
    tests: [...age, ...rollback],
    only: "of the four orders sent|within R-2",
  },
  {
    name: "a server of an older timeline taken for the current one",
    edits: [{ file: judgement, text: "now.timeline < then.timeline", instead: "now.timeline < 0" }],
    tests: shared,
    only: "its old server is refused",
  },
  // Where and on which machine it is.
  {
    name: "a clone on another machine taken for the original",
    edits: [{ file: judgement, text: "known.machine !== machine;", instead: "known.machine === `${machine} `;" }],
    tests: age,
    only: "sends nothing until a person says",
  },
  {
    name: "a machine without an id taken for another one",
    edits: [
      { file: judgement, text: "return machine !== undefined && known.machine", instead: "return known.machine" },
    ],
    tests: age,
    only: "by the machine id only",
  },
  {
    name: "a machine told by its name",
    edits: [
      {
        file: "src/journal/age/home.ts",
        text: "const id = await host.machine.machineId();",
        instead: "const id = host.machine.hostName;",
      },
    ],
    tests: age,
    only: "by the machine id only|sends nothing until a person says",
  },
  {
    name: "a copy beside its original taken for a moved one",
    edits: [
      {
        file: judgement,
        text: 'original !== "missing" && original.id === view.id',
        instead: 'original === "missing"',
      },
    ],
    tests: age,
    only: "sends nothing while the original is in its place",
  },
  {
    name: "a database copied on one server taken for the original",
    edits: [
      {
        file: judgement,
        text: "(isSameSystem && databaseIn(known.place) === databaseIn(place))",
        instead: "isSameSystem",
      },
    ],
    tests: places,
    only: "that is a copy|that was moved",
  },
  {
    name: "a restored database taken for the one before",
    edits: [
      {
        file: judgement,
        text: "|| known.database === state.database)",
        instead: "|| known.database !== state.database)",
      },
    ],
    tests: shared,
    only: "from a dump makes a host",
  },
  {
    name: "a run that goes on in a restored database",
    edits: [
      {
        file: "src/journal/age/exchanged.ts",
        text: "if (now.database !== before.database) throw",
        instead: "if (false) throw",
      },
    ],
    tests: shared,
    only: "from a dump stops a run",
  },
  {
    name: "a former primary that comes back taken for the journal, first in an address of several servers",
    edits: [
      {
        file: "src/journal/postgres/primaries.ts",
        text: "if (two.length === 0) return undefined;",
        instead: "if (two.length >= 0) return undefined;",
      },
    ],
    tests: ["test/commands/failover.test.ts"],
    only: "takes over with every order",
  },
  {
    name: "a run that goes on with a standby that took over",
    edits: [
      {
        file: "src/journal/age/exchanged.ts",
        text: "if (now.timeline !== before.timeline) throw",
        instead: "if (false) throw",
      },
    ],
    tests: ["test/commands/journal-age-open-runs.test.ts"],
    only: "sends nothing more",
  },
  // In which journal an account's orders are.
  {
    name: "a second folder begun for an account whose orders are in the first",
    edits: [
      {
        file: known,
        text: "if (other === undefined) return undefined;",
        instead: "if (other !== null) return undefined;",
      },
    ],
    tests: age,
    only: "does not send for an account",
  },
  {
    name: "an account of a second folder known by one of its names alone",
    edits: [
      {
        file: known,
        text: "wanted.flatMap((account) => namesOfAccount(account, known))",
        instead: "known.length < 0 ? namesOfAccount('', known) : wanted",
      },
    ],
    tests: age,
    only: "whatever label or spelling",
  },
  {
    name: "two folders that begin at the same moment not told of each other",
    edits: [
      {
        file: "src/journal/age/registration.ts",
        text: "// Another process may have begun with a journal elsewhere.\n      this.#refuse(account, journals, wallet);",
        instead: "",
      },
    ],
    tests: age,
    only: "at the same moment",
  },
  {
    name: "the first folder used on after the second took its place",
    edits: [
      {
        file: taken,
        text: "accounts: accounts.filter((scope) => !isTaken(scope)) }",
        instead: "accounts: accounts.filter((scope) => isTaken(scope) || scope !== '') }",
      },
    ],
    tests: age,
    only: "takes over by journal move",
  },
  // What statements have shown.
  {
    name: "rows of statements that are gone from the journal not missed",
    edits: [
      { file: judgement, text: "return seen < mark.seen && !isPartial", instead: "return seen < 0 && !isPartial" },
    ],
    tests: recover,
    only: "same backup is put back once more",
  },
  {
    name: "an order sent under a reference that a statement has shown",
    edits: [
      {
        file: "src/movements/guards/witness.ts",
        text: "if (rows.length > 0) throw new ReferenceSeen(rows);",
        instead: "void rows;",
      },
      {
        file: "src/app/money/checks/witness.ts",
        text: "return rowsUnder(reference, around.seen);",
        instead: "return rowsUnder(reference, around.seen).slice(around.seen.length);",
      },
    ],
    tests: recover,
    only: "knew of the one before it",
  },
  {
    name: "the tag of a transfer not taken for a reference",
    edits: [
      {
        file: "src/evidence/references.ts",
        text: "[tranRefNo, ...tagsIn(narration), last",
        instead: "[tranRefNo, last",
      },
    ],
    tests: recover,
    only: "every reference of a row",
  },
  {
    name: "a row that names a known order taken for that order's, whatever its amount",
    edits: [
      {
        file: "src/evidence/rows/explained-rows.ts",
        text: "change?.abs().equals(amount) === true",
        instead: "change?.abs().equals(amount) !== undefined",
      },
      {
        file: "src/evidence/rows/explained-rows.ts",
        text: "const booked = [row.tranRefNo, tagIn(row)].flatMap",
        instead: "const booked = references.flatMap",
      },
      { file: "src/evidence/rows/explained-rows.ts", text: "!this.#used.has(", instead: "!new Set<string>().has(" },
    ],
    tests: recover,
    only: "also names one",
  },
  {
    name: "two rows of a wallet explained by one order",
    edits: [
      {
        file: "src/evidence/rows/explained-rows.ts",
        text: "this.#used.add(`${order.id} ${row.accountNo}`);",
        instead: "",
      },
    ],
    tests: recover,
    only: "also names one",
  },
  {
    name: "wallets that are not listed left out of a recovery",
    edits: [{ file: recovery, text: "[...listed, ...(await", instead: "[...listed, ...[] ?? (await" }],
    tests: recover,
    only: "does not list",
  },
  {
    name: "an old journal on a new machine asked for three days",
    edits: [
      {
        file: "src/movements/guards/second-witness.ts",
        text: "return first.compare(wished) < 0 ? first : wished;",
        instead: "return wished;",
      },
    ],
    tests: ["test/commands/journal-age.test.ts"],
    only: "old backup",
  },
  {
    name: "an empty list of wallets taken for a statement without the row",
    edits: [
      {
        file: "src/evidence/inquiry.ts",
        text: "booked.length === 0 && !this.#listed.some(isDescribed)",
        instead: "booked.length < 0",
      },
    ],
    tests: ["test/commands/journal-resolve.test.ts"],
    only: "none of the wallets",
  },
  {
    name: "one row for two orders no objection to calling one refused",
    edits: [
      {
        file: "src/evidence/finding.ts",
        text: "return isOneOfSeveral || isContested ||",
        instead: "return isOneOfSeveral ||",
      },
    ],
    tests: ["test/movements/evidence-orders.test.ts"],
    only: "called refused by a person",
  },
  {
    name: "a row the other way that holds the reference between other letters passed over",
    edits: [
      {
        file: "src/evidence/taken-back.ts",
        text: " || containsId(reference, id) || containsId(text, id)",
        instead: "",
      },
    ],
    tests: ["test/movements/evidence.test.ts"],
    only: "may have taken it back",
  },
  {
    name: "entries without an amount taken for an empty statement",
    edits: [
      {
        file: "src/evidence/rows/wallet-rows.ts",
        text: "if (!batch.every(hasAmount))",
        instead: "if (!batch.every(Boolean))",
      },
    ],
    tests: ["test/commands/second-witness.test.ts"],
    only: "has an error|without an amount",
  },
  {
    name: "statements without a row taken for what was sent",
    edits: [
      {
        file: recovery,
        text: "if (inside === 0 && options.expectsRows)",
        instead: "if (inside < 0 && wish.expectsRows)",
      },
    ],
    tests: recover,
    only: "though orders left|only with --allow-empty",
  },
  {
    name: "an empty statement never believed",
    edits: [
      { file: "src/commands/journal/recover.ts", text: "gap.isCertain && !allowEmpty", instead: "gap.isCertain" },
    ],
    tests: recover,
    only: "only with --allow-empty",
  },
  {
    name: "statements read from the day on which the lost journal began",
    edits: [
      {
        file: taken,
        text: "since: sinceOf(taking, before, replaced),",
        instead: "since: before?.since ?? taking.now,",
      },
    ],
    tests: recover,
    only: "knew of the one before it",
  },
  {
    name: "rows that a restore took away read from the last order on",
    edits: [
      {
        file: "src/journal/age/gap.ts",
        text: "if (isBehind && (own?.recoveredAt ?? -1) >= end.at) starts",
        instead: "if (isBehind && end.at < -1) starts",
      },
    ],
    tests: recover,
    only: "reads again what was read",
  },
  {
    name: "a journal that begins anew knowing one name of its account",
    edits: [
      {
        file: "src/commands/journal/recover.ts",
        text: "await journal.keepNames(registration.namesOf(scope));",
        instead: "await journal.keepNames([scope]);",
      },
    ],
    tests: ["test/simulation/renamed.test.ts"],
  },
];
