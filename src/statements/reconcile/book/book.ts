import type { Decimal } from "../../../values/money/decimal.ts";
import { referenceMaxChars } from "../../../values/reference.ts";
import type { AmountCodes } from "../../packing/amount-codes.ts";
import { Chains } from "../matching/chains.ts";
import type { RowTexts } from "../rows/row-texts.ts";
import { noTexts } from "../rows/row-texts.ts";
import type { Ruling } from "../ruling.ts";
import type { DateWindow } from "../rows/date-window.ts";
import { RowStore } from "../rows/row-store.ts";
import type { StringTable } from "../rows/string-table.ts";

/** One row of what the statement is compared with. */
export interface BookEntry {
  readonly reference: string;
  /** Credits above zero. */
  readonly amount: Decimal;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Other references that a statement may have for it. */
  readonly aliases?: readonly string[] | undefined;
  /** Shown only where it matches: it may belong to another account. */
  readonly perhaps?: boolean | undefined;
  /** A note to show with it. */
  readonly note?: string | undefined;
  /** Its line in the file; undefined where it has none. */
  readonly line?: number | undefined;
  readonly texts?: RowTexts | undefined;
  /** True where its outcome is unknown: it never counts as in transit. */
  readonly isUncertain?: boolean | undefined;
  /** It was open at the end of an earlier month. */
  readonly isCarried?: boolean | undefined;
}

/** Texts by which a row of the statement names the entry it belongs to. */
export interface EntryNames {
  /** Its reference, as an id of the string table. */
  readonly reference: number;
  /** A further reference, where the statement has one. */
  readonly other: string;
  readonly narration: string;
}

export interface BookOptions {
  /** True to search narrations for references as rows come in, since the journal's own references are nowhere else. */
  readonly readsNarrations?: boolean | undefined;
  readonly ruling?: Ruling | undefined;
}

/** Spec is silent on references of transfers: ours are at the end of the description, ` [R]`. */
const tagStart = " [";
const tagEnd = "]";
const narratedWord = /[\p{L}\p{N}_/-]+/gu;

/** The book: our own record of what moved, from a file or the journal. */
export class Book {
  readonly side = new RowStore();
  readonly #texts: StringTable;
  readonly #codes: AmountCodes;
  readonly #span: DateWindow;
  readonly #readsNarrations: boolean;
  readonly #ruling: Ruling | undefined;
  readonly #aliases = new Map<number, number>();
  readonly #notes = new Map<number, string>();
  readonly #warnings = new Map<number, string>();
  #chains: Chains | undefined;
  #far = 0;

  constructor(texts: StringTable, codes: AmountCodes, span: DateWindow, options: BookOptions = {}) {
    const { readsNarrations = false, ruling } = options;
    this.#ruling = ruling;
    this.#texts = texts;
    this.#codes = codes;
    this.#span = span;
    this.#readsNarrations = readsNarrations;
  }

  /** The number of entries on days that are neither in the period nor near it. */
  get far(): number {
    return this.#far;
  }

  /** Its entries by their references, once all are added. */
  get chains(): Chains {
    return (this.#chains ??= new Chains(this.side, this.#texts.count, (entry) => this.side.keyOf(entry)));
  }

  /** @returns its index */
  add(added: BookEntry): number {
    const { reference, amount, day, aliases = [], note } = added;
    const isFar = added.isCarried !== true && !this.#span.covers(day);
    if (isFar) this.#far += 1;
    const key = this.#texts.idOf(reference);
    const inPeriod = this.#span.counts(day);
    const code = this.#codes.codeOf(amount);
    const { scale } = amount;
    const { perhaps, line, texts, isUncertain } = added;
    const packed = {
      key,
      reference: key,
      amount: code,
      scale,
      day,
      inPeriod,
      perhaps,
      isFar,
      line,
      texts,
      isUncertain,
    };
    const entry = this.side.add(packed);
    if (added.isCarried === true) this.side.flags.set(entry, "carried");
    this.#ruling?.isFee("book", entry, { reference, amount, texts: texts ?? noTexts });
    if (note !== undefined) this.#notes.set(entry, note);
    for (const alias of aliases) if (alias !== reference) this.#aliases.set(this.#texts.idOf(alias), key);
    return entry;
  }

  /** Sets a note for a row of the statement with this reference, for which the book has no entry. */
  warn(reference: string, warning: string): void {
    this.#warnings.set(this.#texts.idOf(reference), warning);
  }

  /** The key by which a row of the statement is matched: its first reference that the book knows, else its own. */
  keyFor({ reference, other, narration }: EntryNames): number {
    const known = this.#knownAs(reference) ?? this.#known(other) ?? this.#tagged(narration);
    return known ?? this.#narrated(narration) ?? reference;
  }

  noteOf(entry: number): string | undefined {
    return this.#notes.get(entry);
  }

  warningOf(key: number): string | undefined {
    return this.#warnings.get(key);
  }

  /** A reference can have brackets of its own, so each opening one is tried. */
  #tagged(narration: string): number | undefined {
    if (!narration.endsWith(tagEnd)) return undefined;
    const tail = narration.slice(-referenceMaxChars - tagStart.length - tagEnd.length);
    for (let at = tail.indexOf(tagStart); at >= 0; at = tail.indexOf(tagStart, at + 1)) {
      const known = this.#known(tail.slice(at + tagStart.length, -tagEnd.length));
      if (known !== undefined) return known;
    }
    return undefined;
  }

  #narrated(narration: string): number | undefined {
    if (!this.#readsNarrations) return undefined;
    for (const [word] of narration.matchAll(narratedWord)) {
      const known = this.#known(word);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  #known(word: string): number | undefined {
    const id = this.#texts.find(word);
    return id === undefined ? undefined : this.#knownAs(id);
  }

  #knownAs(id: number): number | undefined {
    if (id === 0) return undefined;
    const key = this.#aliases.get(id) ?? id;
    return this.chains.firstOf(key) !== undefined || this.#warnings.has(key) ? key : undefined;
  }
}
