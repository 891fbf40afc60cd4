import type { Mutation } from "./mutation.ts";

const repeats = "src/movements/guards/repeats.ts";
const rows = "src/movements/batch/repeat-violations.ts";
const keys = "src/journal/lookups/order-keys.ts";
const names = "src/journal/account-name.ts";
const look = "src/app/money/checks/repeat-check.ts";
const wallets = "src/movements/guards/wallet-checks.ts";
const single = ["test/movements/like-orders.test.ts"] as const;
const batch = ["test/commands/batch-repeats.test.ts"] as const;
const edited = ["test/commands/batch-edited.test.ts"] as const;
const numbers = ["test/movements/like-numbers.test.ts"] as const;
const stores = ["test/journal/sqlite.test.ts"] as const;
const accounts = ["test/movements/one-account.test.ts"] as const;

const openStates = ["unknown", "sending", "prepared", "pending"];
const spellings = ["letter case", "spaces", "scientific notation", "leading zeros"];

/** Payments that look alike, and accounts by several names, got wrong on purpose. */
export const repeatMutations: readonly Mutation[] = [
  // Whose order is it?
  {
    name: "an account by another label taken for another account",
    edits: [{ file: names, text: "return a.environment === b.environment || canon", instead: "return canon" }],
    tests: accounts,
    only: "another address under the same label|are linked through the journal",
  },
  {
    name: "an account at another spelling of its address taken for another account",
    edits: [
      {
        file: names,
        text: "|| canonicalAddress(a.baseUrl) === canonicalAddress(b.baseUrl)",
        instead: "|| a.baseUrl === b.baseUrl",
      },
    ],
    tests: accounts,
    only: "another label and another host",
  },
  {
    name: "names of an account followed for one step only",
    edits: [{ file: names, text: "for (const name of names)", instead: "for (const name of [scope])" }],
    tests: stores,
    only: "however many steps",
  },
  {
    name: "a batch under another name of its account taken for another batch",
    edits: [
      {
        file: "src/app/batch/plan.ts",
        text: "for (const other of others) if (await isKnown(other.id)) return other;",
        instead: "",
      },
    ],
    tests: accounts,
    only: "a batch is the same batch",
  },
  {
    name: "an export begun anew under another name of its account",
    edits: [
      { file: "src/app/statements/export-memory.ts", text: "if (await isThere(path)) return path;", instead: "" },
    ],
    tests: accounts,
    only: "an export of statements continues",
  },
  {
    name: "account ids in another letter case not noticed",
    edits: [
      {
        file: repeats,
        text: "...accounts.map((other) => accountSign(own, other)),",
        instead: "",
      },
    ],
    tests: batch,
    only: "account id in another letter case",
  },
  // References that are written alike.
  ...spellings.map((spelling) => ({
    name: `references that differ only by ${spelling} taken for two`,
    edits: [
      {
        file: keys,
        text: `["${spelling}", (text) => `,
        instead: `["${spelling}", (text) => text + "" === text ? text : `,
      },
    ] as const,
    tests: stores,
    only: "are near each other",
  })),
  {
    name: "zeros within a reference taken for leading ones",
    edits: [{ file: keys, text: "text.replace(/^0+(?=.)/u", instead: "text.replace(/(?<!\\d)0+(?=.)/u" }],
    tests: stores,
    only: "are two",
  },
  {
    name: "references that statements show not compared",
    edits: [
      { file: repeats, text: "...shown.map((row) => seenSign(reference, row.reference, row.accountNo)),", instead: "" },
    ],
    tests: single,
    only: "from one on a statement",
  },
  {
    name: "a slip of the hand sent when somebody says yes",
    edits: [
      {
        file: look,
        text: "const isStopped = slips.length > 0 || (yes && open.length > 0);",
        instead: "const isStopped = yes && slips.length + open.length > 0;",
      },
      { file: repeats, text: "if (slips.length + news.length > 0)", instead: "if (news.length > 0)" },
    ],
    tests: single,
    only: "is stopped when",
  },
  // Like orders of single ones.
  ...openStates.map((state) => ({
    name: `a like order that is ${state} sent after`,
    edits: [
      {
        file: repeats,
        text: 'const openStates: readonly MovementState[] = ["unknown", "sending", "prepared", "pending"];',
        instead: `const openStates: readonly MovementState[] = ${JSON.stringify(openStates.filter((other) => other !== state))};`,
      },
    ] as const,
    tests: single,
    only: "stops a like one|is stopped, with its name",
  })),
  {
    name: "a like order stopped by that somebody is asked nothing about",
    edits: [{ file: look, text: "(yes && open.length > 0)", instead: "(yes && open.length > 99)" }],
    tests: single,
    only: "stopped with --yes|is stopped, with its name",
  },
  {
    name: "what the warning is about not said above the question",
    edits: [
      {
        file: "src/app/money/confirmation.ts",
        text: "${visible(title)}\\n${shown}${edit}${warned}",
        instead: "${visible(title)}\\n${warned}${shown}",
      },
    ],
    tests: single,
    only: "in the last line before the question",
  },
  {
    name: "like orders looked for before the order is taken hold of, and not again",
    edits: [{ file: "src/movements/perform.ts", text: "tools.repeatCheck(order, around);", instead: "void around;" }],
    tests: [...single, ...batch],
    only: "between the question and the yes|at the same moment|since the file was checked",
  },
  {
    name: "an order taken for one like itself",
    edits: [
      {
        file: "src/journal/lookups/around.ts",
        text: "return all.filter((other) => !(other.kind === kind && other.reference === reference));",
        instead: "return [...all];",
      },
    ],
    tests: stores,
    only: "near each other|refused orders never hide",
  },
  {
    name: "a like collection that stops others for good",
    edits: [
      {
        file: repeats,
        text: '(kind !== "collect" || nowMs - openedAt < openCollectionMs)',
        instead: "openedAt <= nowMs",
      },
    ],
    tests: single,
    only: "for 15 minutes",
  },
  {
    name: "accepted orders told of without an end",
    edits: [
      {
        file: repeats,
        text: "(openedAt, settledAt ?? openedAt) <= windowMs",
        instead: "(openedAt, settledAt ?? openedAt) >= 0",
      },
    ],
    tests: single,
    only: "within a day|like.window says",
  },
  {
    name: "accepted orders told of by when they were ordered",
    edits: [{ file: repeats, text: "Math.max(openedAt, settledAt ?? openedAt)", instead: "openedAt" }],
    tests: single,
    only: "counts from today",
  },
  {
    name: "like.window=0 taken for the usual window",
    edits: [
      { file: look, text: "{ likeWindowMs: windowMs = usualMs }] =", instead: "{ likeWindowMs: chosenMs }] =" },
      {
        file: look,
        text: "return () => ({ scope, windowMs,",
        instead: "return () => ({ scope, windowMs: chosenMs || usualMs,",
      },
    ],
    tests: single,
    only: "like.window says",
  },
  {
    name: "a dry run without the warnings of a run",
    edits: [
      {
        file: "src/app/money/place-order.ts",
        text: "const warnings = [...preview.warnings, ...testimony, ...(await repeatWarnings(order, journal, session))];",
        instead: "const warnings: string[] = []; void [testimony, repeatWarnings];",
      },
    ],
    tests: [...single, "test/commands/wallet-checks.test.ts"],
    only: "dry run",
  },
  // Batches.
  {
    name: "rows like an order of another batch sent",
    edits: [
      {
        file: rows,
        text: "return mayHaveMoved && isRecent(other, nowMs, windowMs);",
        instead: "return mayHaveMoved && windowMs < 0;",
      },
    ],
    tests: batch,
    only: "with line and column|three days",
  },
  {
    name: "rows like an unknown order sent when it is old",
    edits: [{ file: rows, text: "if (isOpenLike(other, nowMs)) return true;", instead: "" }],
    tests: batch,
    only: "however long ago",
  },
  {
    name: "rows of the same file taken for repeats of each other",
    edits: [
      {
        file: rows,
        text: "const like = around.like.find((other) => !this.areSiblings(reference, other));",
        instead: "const [like] = around.like;",
      },
      {
        file: rows,
        text: "return others.filter((other) => !this.#lines.has(other.reference));",
        instead: "return [...others];",
      },
    ],
    tests: batch,
    only: "does not repeat itself",
  },
  {
    name: "a row added to a file taken for a sibling of those that were sent",
    edits: [{ file: rows, text: "if (!rows.has(reference)) continue;", instead: "" }],
    tests: edited,
    only: "repeats a row that was accepted",
  },
  {
    name: "a row that was another payment taken for a sibling of an unknown one",
    edits: [{ file: rows, text: " && !isOpenLike(other, this.#context.nowMs));", instead: ");" }],
    tests: edited,
    only: "edited into a repeat",
  },
  {
    name: "an order by hand taken for a sibling of rows of a file that names it",
    edits: [
      {
        file: rows,
        text: "if (other.batch === null) return !isOpenLike(other, this.#context.nowMs);",
        instead: "if (other.batch === null) return true;",
      },
    ],
    tests: edited,
    only: "a single order from the file",
  },
  {
    name: "like rows of a file in another order taken for repeats",
    edits: [
      {
        file: rows,
        text: 'rows.get(reference) === likeKey ? "alike" : "other"',
        instead: 'rows.get(reference) === "" ? "alike" : "other"',
      },
    ],
    tests: edited,
    only: "in another order",
  },
  {
    name: "a row sent that repeats one of another batch which has begun since the check",
    edits: [
      {
        file: rows,
        text: "isLikeOfBatch(other, now) && !areSiblings(order.reference, other)",
        instead: "isLikeOfBatch(other, now) && !references.has(other.reference)",
      },
    ],
    tests: edited,
    only: "another process has begun",
  },
  // Mobile numbers.
  {
    name: "spellings of one mobile number taken for several receivers",
    edits: [
      {
        file: keys,
        text: 'return findMsisdn(plainText(request, "receiverAccount"));',
        instead: 'return findMsisdn(plainText(request, "receiverAccount")) && undefined;',
      },
    ],
    tests: numbers,
    only: "a remittance to",
  },
  {
    name: "a bank's account number read as a mobile number",
    edits: [{ file: keys, text: 'plainText(request, "receiverChannel") !== "MOBILE"', instead: 'kind === "transfer"' }],
    tests: numbers,
    only: "a bank account that looks like",
  },
  {
    name: "spellings of one bank account taken for several receivers",
    edits: [{ file: keys, text: "bank + plainAccount(account)", instead: "bank + account" }],
    tests: ["test/journal/sqlite.test.ts"],
    only: "an account at a bank",
  },
  {
    name: "spellings of one wallet taken for several",
    edits: [{ file: keys, text: "walletFields.has(name) ? walletForm(typed) : typed", instead: "typed" }],
    tests: numbers,
    only: "a transfer to the wallet",
  },
  {
    name: "remittances kept under a number as it was written not looked for",
    edits: [{ file: keys, text: "[typed, ...(number === undefined ? [] : spellingsOf(number))]", instead: "[]" }],
    tests: numbers,
    only: "stored before numbers",
  },
  {
    name: "references of one file that are written alike not noticed",
    edits: [{ file: rows, text: "if (near === undefined) return [];", instead: "if (near !== null) return [];" }],
    tests: batch,
    only: "references of one file",
  },
  {
    name: "a cell in scientific notation taken with --allow-repeats",
    edits: [
      {
        file: "src/movements/batch/rows/spreadsheet-artefacts.ts",
        text: "(digits.has(kind) || numbers.has(kind)) && shortened",
        instead: "numbers.has(kind) && shortened",
      },
    ],
    tests: batch,
    only: "not sent as a new payment",
  },
  {
    name: "the rows of one batch hiding those of another",
    edits: [
      {
        file: "src/journal/sqlite/lookups.ts",
        text: "if (batch !== own) found.push",
        instead: "if (batch === own) found.push",
      },
    ],
    tests: stores,
    only: "rows of one batch",
  },
  {
    name: "an order that is still open hidden by later ones that are done",
    edits: [
      { file: "src/journal/sqlite/lookups.ts", text: '["open", "done"] satisfies', instead: '["done"] satisfies' },
    ],
    tests: stores,
    only: "without an outcome is found",
  },
  {
    name: "what approved batches repeat not looked at before they are sent",
    edits: [
      {
        file: "src/app/approvals/approved-sender.ts",
        text: "if (failure !== undefined) throw failure;",
        instead: "void failure;",
      },
      {
        file: "src/app/approvals/approved-sender.ts",
        text: "await checkOfRows(checked, allowsRepeats, this.#session)",
        instead: "() => undefined",
      },
    ],
    tests: ["test/commands/repeats-shared.test.ts"],
    only: "checked for repeats again",
  },
  {
    name: "nothing said of a batch that has nothing left to send",
    edits: [
      {
        file: "src/app/batch/file-run.ts",
        text: "if (toSend.count === 0) await session.note(nothingLeft(plan.check));",
        instead: "",
      },
    ],
    tests: batch,
    only: "says so first",
  },
  // Wallets.
  {
    name: "a wallet that lost its leading zero taken for an unknown one",
    edits: [{ file: wallets, text: "[`0${number}`, `00${number}`]", instead: "[`${number}`]" }],
    tests: ["test/commands/wallet-checks.test.ts", "test/commands/batch-faults.test.ts"],
  },
  {
    name: "a wallet that is none of the account's not warned of",
    edits: [
      {
        file: wallets,
        text: "if (whole === undefined)\n      warnings.push(",
        instead: "if (whole === undefined)\n      void (",
      },
    ],
    tests: ["test/commands/wallet-checks.test.ts"],
  },
  {
    name: "a wallet that holds too little not warned of",
    edits: [{ file: wallets, text: "balance.compare(leaving) >= 0", instead: "balance.compare(leaving) !== 9" }],
    tests: ["test/commands/wallet-checks.test.ts"],
  },
];
