import type { Choice, Prompts, Question } from "../../host/process/prompts.ts";
import { noChange, PromptAborted } from "../../host/process/prompts.ts";
import { Failure } from "../../values/failure.ts";
import { Decimal, groupedWhileTyped } from "../../values/money/decimal.ts";
import { flagName } from "../../values/text/flag-name.ts";
import { visible } from "../../values/text/text.ts";
import { accountNumber } from "../accounts/nicknames.ts";
import type { Session } from "../session.ts";
import type { OrderWallets, WalletRules } from "./order-wallets.ts";
import { openWallets } from "./order-wallets.ts";
import { typedWords } from "./same-line.ts";

/** How one value of an order is asked for. */
export interface OrderQuestion<T = unknown> {
  /** `From which wallet`. */
  readonly words: string;
  /** How an amount is written: `a whole amount`. */
  readonly form?: string;
  /** What a violation in the answer is about: `The amount`. */
  readonly called: string;
  readonly asks: "wallet" | "amount" | "text" | readonly string[];
  /** Reads the answer as the flag does; a refused one is asked for again. */
  readonly read: (text: string, name: string) => T;
}

/** The questions of an order by the keys of their flags, in the order in which a person is asked. */
export type OrderQuestions<K extends string> = Readonly<Record<K, OrderQuestion>>;

/** What is asked for an order, and how its wallets limit the answers. */
export interface OrderAsking<K extends string> {
  readonly questions: OrderQuestions<K>;
  readonly wallets?: WalletRules | undefined;
}

/** A person wants to change something about an order before it is sent. */
export class EditAsked extends Error {
  override readonly name = "EditAsked";
}

/**
 * Asks for missing flags, each by its own question. Prints the answers so far where the questions end early.
 * @param missing keys of flags
 * @param given the other flags
 * @throws {Failure} setup | refused | unavailable where wallets are to be chosen and cannot be listed
 */
export async function askForMissing<K extends string>(
  { questions, wallets: rules }: OrderAsking<K>,
  { missing, given }: { readonly missing: readonly string[]; readonly given: object },
  session: Session,
): Promise<Readonly<Record<string, unknown>>> {
  const prompts = await session.host.prompts();
  const asked = keysOf(questions).filter((key) => missing.includes(key));
  const wallets = await openWallets(
    asked.map((key) => questions[key].asks),
    rules,
    session,
  );
  wallets.refuse(given);
  await session.host.stderr.write(
    "You are asked for what is missing. At the end you can change every answer; nothing is sent before you say yes. Ctrl-C ends it.\n",
  );
  const answers: Record<string, unknown> = {};
  try {
    for (const key of asked) {
      const known = { ...given, ...answers };
      const open = possibleWallets(wallets, questions, { key, known });
      answers[key] = await askOne(questions[key], { prompts, open, currency: wallets.currencyOf(known) });
      wallets.refuse({ ...known, ...answers });
      if (questions[key].asks === "amount") await wallets.warn({ ...known, ...answers }, answers[key]);
    }
  } catch (error) {
    const words = Object.entries(answers).map(([key, value]) => [`--${flagName(key)}`, String(value)] as const);
    if (error instanceof PromptAborted && words.length > 0)
      await session.note(`Your answers so far: ${typedWords(words)}`);
    throw error;
  }
  return answers;
}

/** Asks what to change, and then for the new value. */
export async function askForEdit<K extends string>(
  { questions, wallets: rules }: OrderAsking<K>,
  known: object,
  session: Session,
): Promise<Readonly<Partial<Record<K, unknown>>>> {
  const prompts = await session.host.prompts();
  const keys = keysOf(questions);
  const valueOf = (key: K) => {
    const value: unknown = Reflect.get(known, key);
    return value instanceof Decimal ? value.toString() : typeof value === "string" ? value : undefined;
  };
  const shown = (key: K) => {
    const value = valueOf(key);
    if (value === undefined) return "";
    return `: ${visible(questions[key].asks === "amount" ? groupedWhileTyped(value) : value)}`;
  };
  const answers: Partial<Record<K, unknown>> = {};
  const changes = keys.map((value) => ({ value, name: questions[value].words + shown(value) }));
  const key = await prompts.choose<K | typeof noChange.value>("What should change?", [...changes, noChange]);
  if (key === noChange.value) return answers;
  const wallets = await openWallets([questions[key].asks], rules, session);
  const open = possibleWallets(wallets, questions, { key, known });
  const currency = wallets.currencyOf(known);
  const answer = await askOne(questions[key], { prompts, open, currency, initial: valueOf(key) });
  const isNamed = questions[key].asks === "wallet" && typeof answer === "string";
  answers[key] = isNamed ? await accountNumber(answer, questions[key].called, session) : answer;
  return answers;
}

/** The wallets that the order can have beside the other one: neither the same one again nor one in another currency. */
function possibleWallets<K extends string>(
  wallets: OrderWallets,
  questions: OrderQuestions<K>,
  { key, known }: { readonly key: K; readonly known: object },
): readonly Choice<string>[] {
  const others = keysOf(questions).filter((each) => each !== key && questions[each].asks === "wallet");
  const taken = new Set(others.map((each): unknown => Reflect.get(known, each)));
  return wallets.choices.filter(({ value }) => !taken.has(value) && wallets.allow({ ...known, [key]: value }));
}

function keysOf<K extends string>(questions: OrderQuestions<K>): readonly K[] {
  const keys: K[] = [];
  for (const key in questions) keys.push(key);
  return keys;
}

interface Asking {
  readonly prompts: Prompts;
  /** The wallets to choose from. */
  readonly open: readonly Choice<string>[];
  /** The currency of an amount, where it is known. */
  readonly currency: string | undefined;
  readonly initial?: string | undefined;
}

async function askOne(
  { words, form, called, asks, read }: OrderQuestion,
  { prompts, open, currency, initial }: Asking,
): Promise<unknown> {
  if (asks === "wallet" && open.length > 0)
    return read(await prompts.search(words, (typed) => matching(open, typed)), called);
  if (typeof asks !== "string")
    return read(
      await prompts.choose(
        words,
        asks.map((value) => ({ value, name: value })),
      ),
      called,
    );
  const inBrackets = [asks === "amount" ? currency : undefined, form].filter((part) => part !== undefined).join(", ");
  const question: Question = {
    message: inBrackets === "" ? words : `${words} (${inBrackets})`,
    initial,
    check: (typed) => problemOf(() => read(typed.trim(), called)),
    show: asks === "amount" ? groupedWhileTyped : (typed) => typed,
  };
  return read((await prompts.text(question)).trim(), called);
}

function matching(choices: readonly Choice<string>[], typed: string): Choice<string>[] {
  const wanted = typed.trim().toLowerCase();
  return choices.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** True for a valid value, else what is wrong and what to type instead. */
function problemOf(read: () => unknown): true | string {
  try {
    read();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  }
}
