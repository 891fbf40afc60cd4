import type { Edit, Mutation } from "./mutation.ts";

const spending = "src/journal/spending.ts";
const receivers = "src/movements/guards/allowed-receivers.ts";
const faults = "src/movements/guards/limits.ts";
const limits = ["test/movements/limits.test.ts"] as const;

const states = ["prepared", "sending", "accepted", "pending", "unknown"];
const kinds = ["transfer", "withdraw", "remit"];

/** Limits of a profile, and whose account it is, got wrong on purpose. */
export const limitMutations: readonly Mutation[] = [
  ...states.map((state) => ({
    name: `limit.day without orders that are ${state}`,
    edits: [{ file: spending, text: `  "${state}",\n`, instead: "" }] as const,
    tests: limits,
    only: "counts what left today",
  })),
  ...kinds.map((kind) => ({
    name: `limit.day without what left by ${kind}`,
    edits: [
      {
        file: spending,
        text: "const sums = weighLeaving(kind, requestOf({ request }));",
        instead: `const sums = kind === "${kind}" ? noSums : weighLeaving(kind, requestOf({ request }));`,
      },
    ] as const,
    tests: limits,
    only: "counts what left today",
  })),
  {
    name: "limit.day with orders that were refused",
    edits: [{ file: spending, text: '  "unknown",\n', instead: '  "unknown",\n  "refused",\n' }],
    tests: limits,
    only: "counts what left today",
  },
  {
    name: "an order that is ordered again counted as it was the first time",
    edits: [
      {
        file: "src/journal/movement-writer.ts",
        text: "if (isSame && (was === undefined)",
        instead: "if ((was === undefined)",
      },
    ],
    tests: ["test/journal/sqlite.test.ts"],
    only: "is ordered again counts on its new day",
  },
  limit("what the sender pays not counted", {
    file: "src/journal/requests/movement-kinds.ts",
    text: '      { amount: "senderAmount", currency: "senderCurrency" },\n',
    instead: "",
  }),
  limit("the smaller of two sides counted", { file: spending, text: "other.compare(amount) < 0", instead: "false" }),
  limit("two sides in one currency counted as two payments", {
    file: spending,
    text: "if (other === undefined || other.compare(amount) < 0) sums.set(key, amount);",
    instead: "sums.set(key, other === undefined ? amount : other.add(amount));",
  }),
  limit("a wallet's own currency ignored", {
    file: faults,
    text: "wallet === undefined || limits.has(own) ? own : homeCurrency",
    instead: "wallet === undefined ? own : homeCurrency",
  }),
  limit("a wallet whose currency has no limit let go", {
    file: faults,
    text: "wallet === undefined || limits.has(own) ? own : homeCurrency",
    instead: "own",
  }),
  limit("a wallet whose currency is not known taken for one in shillings", {
    file: faults,
    text: "return currencyOf && wallets.find((wallet) => currencyOf(wallet) === undefined);",
    instead: "return wallets.find(() => false);",
  }),
  limit("an order sent although the wallets' currencies cannot be read", {
    file: "src/app/money/wallet-currencies.ts",
    text: "throw explained(error);",
    instead: "return () => undefined;",
  }),
  limit("a batch checked although the wallets' currencies cannot be read", {
    file: "src/app/batch/service-lists.ts",
    text: "    throw explained(error);",
    instead: "    void explained(error);\n    return undefined;",
  }),
  limit("limits that no longer add up over a file", {
    file: "src/movements/batch/check.ts",
    text: "if (guards.dayMax !== undefined) addTo(this.#spent, weighLeaving(kind, input));",
    instead: "",
  }),
  limit("a dry run without limits", {
    file: "src/app/money/place-order.ts",
    text: "  await checkGuardsUnasked(order, session);\n",
    instead: "",
  }),
  limit("a limit one more than it says", { file: faults, text: ".compare(max) <= 0", instead: ".compare(max) < 2" }),
  limit("a currency that there isn't taken for one", {
    file: "src/values/money/limits.ts",
    text: "if (!isCurrency(currency)) return",
    instead: 'if (currency === "") return',
  }),
  receiver("allow.to for transfers alone", {
    file: receivers,
    text: "if (allowed.some((entry) => allows(entry, receiver))) return undefined;",
    instead: 'if (allowed.some((entry) => allows(entry, receiver)) || kind === "remit") return undefined;',
  }),
  receiver("a number alone taken for an account at any bank", {
    file: receivers,
    text: "if (colon < 0) return isMobile && (",
    instead: "if (colon < 0) return (",
  }),
  receiver("an account allowed at every institution", {
    file: receivers,
    text: "  if (entry.slice(0, colon) !== institution) return false;\n",
    instead: "",
  }),
  receiver("an account at a bank read as a mobile number", {
    file: receivers,
    text: "number === account || (isMobile && isSameNumber(number, account))",
    instead: "isSameNumber(number, account)",
  }),
  receiver("a mobile number known in one spelling only", {
    file: "src/values/msisdn.ts",
    text: "one === other || (msisdn !== undefined && msisdn === findMsisdn(other))",
    instead: "one === other || (msisdn === undefined && one === findMsisdn(other))",
  }),
  receiver("a wallet allowed by a mobile number that looks like it", {
    file: receivers,
    text: "return allowed.includes(account) ? undefined",
    instead: "return allowed.some((entry) => isSameNumber(entry, account)) ? undefined",
  }),
  account("variables counted before a profile that is named", {
    file: "src/profiles/whole-account.ts",
    text: "if (profile === undefined) return [];",
    instead: "return [];",
  }),
  account("the profile in use recorded, whoever's account it is", {
    file: "src/profiles/resolve.ts",
    text: "owner: isProfiles ? chosen?.name : undefined",
    instead: "owner: chosen?.name",
  }),
  account("an account known by its address alone", {
    file: "src/profiles/resolve.ts",
    text: "profile.accountId === accountId && ",
    instead: "",
  }),
  account("no limits where variables name another account than the profile in use", {
    file: "src/app/money/money-context.ts",
    text: "    guards,\n",
    instead: "    guards: owner === undefined ? { ...guards, transferMax: undefined } : guards,\n",
  }),
];

function limit(name: string, edit: Edit): Mutation {
  return { name: `limits: ${name}`, edits: [edit], tests: limits };
}

function receiver(name: string, edit: Edit): Mutation {
  return { name, edits: [edit], tests: ["test/movements/allowed-receivers.test.ts"] };
}

function account(name: string, edit: Edit): Mutation {
  return { name, edits: [edit], tests: ["test/commands/named-profile.test.ts"] };
}
