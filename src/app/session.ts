import { defaultMoneyTimeoutMs, defaultTimeoutMs } from "../client/limits.ts";
import type { Connection } from "../client/connection.ts";
import type { Probe } from "../client/probe.ts";
import type { Reader } from "../client/reader.ts";
import type { HostTimes } from "../host/host-times.ts";
import { hostTimes } from "../host/host-times.ts";
import type { Host } from "../host/host.ts";
import type { PlainPost } from "../host/http/plain-post.ts";
import type { Journal } from "../journal/journal.ts";
import { accountScope } from "../journal/account-name.ts";
import type { Account } from "../profiles/account.ts";
import { plainUrl } from "../profiles/base-url.ts";
import { resolveAccount } from "../profiles/resolve.ts";
import { variablesSetAside } from "../profiles/whole-account.ts";
import type { Format } from "../report/options.ts";
import type { Report } from "../report/report.ts";
import type { Day } from "../values/time/day.ts";
import { dayInDarEsSalaam } from "../values/time/day.ts";
import { newReference, newReferenceBytes } from "../values/new-reference.ts";
import { visible } from "../values/text/text.ts";
import { checkResultFile, withProtectedFolders } from "./protected-folders.ts";
import { namesBeside } from "./accounts/nicknames.ts";
import type { JournalChoice, JournalUse } from "./journal/choice.ts";
import { openChosenJournal } from "./journal/choice.ts";
import type { CommonFlags, ResultForms, ResultOptions } from "../cli/result-options.ts";
import { resultOptions } from "../cli/result-options.ts";
import type { Days } from "../values/time/service-clock.ts";
import { daysAt } from "../values/time/service-clock.ts";
import { ClockWatch } from "./clock-watch.ts";
import type { ServiceReads } from "./lazy-reader.ts";
import { LazyReader } from "./lazy-reader.ts";
import type { LineFlags } from "./connection.ts";
import { openConnection, openPost, openProbe, openReader } from "./connection.ts";
import { writeOutput } from "../cli/output.ts";
import { wantsColour } from "../cli/line/early-flags.ts";
import type { OwnProgram, RunContext } from "../cli/run-context.ts";

/**
 * What a command works with: the service, the current day there, and output. Nothing is loaded, looked up or connected
 * before its first use.
 */
export class Session {
  readonly host: Host;
  readonly #context: RunContext;
  readonly #flags: CommonFlags;
  readonly #forms: ResultForms;
  #result: ResultOptions;
  #profile: string | undefined;
  #isSetAsideSaid = false;
  #account: Promise<Account> | undefined;
  readonly #reader = new LazyReader(() => this.#openReader());
  #connection: Promise<Connection> | undefined;
  #journal: Promise<Journal> | undefined;
  readonly #startedAt: HostTimes;
  /** Follows the difference between the service's clock and ours. */
  readonly clockWatch = new ClockWatch((line) => this.note(line));

  /**
   * @param forms in which the command can give its result
   * @throws {Failure} usage
   */
  constructor(context: RunContext, flags: CommonFlags, forms: ResultForms = {}) {
    this.host = withProtectedFolders(context.host);
    this.#startedAt = hostTimes(this.host.clock);
    this.#context = context;
    this.#flags = flags;
    this.#forms = forms;
    this.#profile = flags.profile;
    const colour = wantsColour(flags.noColor, context.host);
    this.#result = resultOptions(flags, context.host, colour, forms, context.program.fileFormats);
  }

  get program(): OwnProgram {
    return this.#context.program;
  }

  /** How the result is shown, and where it goes. */
  get result(): ResultOptions {
    return this.#result;
  }

  get format(): Format {
    return this.result.format;
  }

  /** Sets the name of the `--save` file, after its `{account}` was filled in; undefined while that is not known. */
  saveAs(save: string | undefined): void {
    this.#result = { ...this.#result, save };
  }

  /** Shows what comes next: `--save`, and the kind of file that its ending says, were for what was written before. */
  showNext(): void {
    this.#result = { ...this.#result, save: undefined, file: undefined };
  }

  /** The profile of `--profile`, before variables and defaults are considered. */
  get profileFlag(): string | undefined {
    return this.#profile;
  }

  /** Lets a command's own argument name the profile, over `--profile`. */
  useProfile(name: string | undefined): void {
    this.#profile = name ?? this.#profile;
  }

  /** A session with the same command line for one profile of `--all-profiles`. The caller closes it. */
  forProfile(name: string): Session {
    const session = new Session(this.#context, { ...this.#flags, profile: name }, this.#forms);
    session.#isSetAsideSaid = true;
    return session;
  }

  /** A session of the same account for one more file of the command, without notes. The caller closes it. */
  forFile(save: string, output: string, fileFormats: ResultForms["fileFormats"]): Session {
    const plain = { json: false, csv: false, columns: undefined, sort: undefined, noHeader: false, raw: false };
    const flags = { ...this.#flags, ...plain, profile: this.#profile, output, save, quiet: true, excel: false };
    const session = new Session(this.#context, { ...flags, delimiter: undefined }, { fileFormats });
    session.#isSetAsideSaid = true;
    return session;
  }

  /** How long one request may take. */
  get timeoutMs(): number {
    return this.#flags.timeout ?? defaultTimeoutMs;
  }

  /** How long one request that moves money may take. */
  get moneyTimeoutMs(): number {
    return this.#flags.timeout ?? defaultMoneyTimeoutMs;
  }

  /** True where a person can be asked: stdin and stderr are terminals, and no flag forbids it. */
  get canAsk(): boolean {
    const silenced = this.#flags.noInput || (this.host.environment["PARTNER_NO_INPUT"] ?? "") !== "";
    return !silenced && this.host.stdin.isTerminal && this.host.stderr.isTerminal;
  }

  /** True where notes for a person have colours. */
  get coloursNotes(): boolean {
    return wantsColour(this.#flags.noColor, this.host);
  }

  /** True where a person reads the result on a terminal, and did not choose the columns. */
  get showsPerson(): boolean {
    const { format, file, save, columns } = this.result;
    const isTable = format === "table" && file === undefined && save === undefined;
    return isTable && columns === undefined && this.host.stdout.isTerminal;
  }

  /** The current day at the service, in Dar es Salaam. */
  today(): Day {
    return dayInDarEsSalaam(this.host.clock.now());
  }

  /** The days that it may be now, for limits. */
  limitDays(): Days {
    const times = hostTimes(this.host.clock);
    return daysAt(times.now, this.clockWatch.spreadSince(this.#startedAt, times));
  }

  /** A reference for an order without one. */
  newReference(kind: Parameters<typeof newReference>[0]): string {
    return newReference(kind, this.today(), this.host.ids.bytes(newReferenceBytes));
  }

  /** One line for a person, on stderr; not with `--quiet`. */
  async note(line: string): Promise<void> {
    if (!this.result.quiet) await this.host.stderr.write(`${visible(line)}\n`);
  }

  /** @throws {Failure} the ending that the report carries | usage and unavailable where it cannot be written */
  async say(report: Report): Promise<void> {
    const options = { ...this.result, names: await namesBeside(this.result, this.host, this.#profile) };
    if (report.shape !== "rows" || options.file !== "xlsx") return writeOutput(report, options, this.host);
    const { rowsWorkbook } = await import("../report/workbook/rows-workbook.ts");
    return writeOutput(rowsWorkbook(report), options, this.host);
  }

  /** Masks a secret in all output from now on. */
  hide(secret: string): void {
    this.#context.secrets.add(secret);
  }

  /** Ends the run with another program's exit code. */
  endWith(exit: number): void {
    this.#context.exit = exit;
  }

  /**
   * The account that flags, environment and profile name.
   * @throws {Failure} usage | setup
   */
  account(): Promise<Account> {
    return (this.#account ??= this.#resolveAccount());
  }

  async #resolveAccount(): Promise<Account> {
    return this.clockWatch.attach(
      await this.noteSetAside().then(() => resolveAccount(this.host, { profile: this.#profile })),
    );
  }

  /** Notes the variables that `--profile NAME` overrides; once in a run. */
  async noteSetAside(): Promise<void> {
    const names = this.#isSetAsideSaid ? [] : variablesSetAside(this.host, this.#profile);
    const line = `Variables set aside, because profile ${this.#profile} was named: ${names.join(", ")}`;
    if (names.length === 0 || this.#context.noted.has(line)) return;
    this.#context.noted.add(line);
    await this.note(line);
  }

  /**
   * The name under which the journal keeps the account's orders, whichever profile names the account.
   * @throws {Failure} usage | setup
   */
  async accountScope(): Promise<string> {
    const { environment, baseUrl, accountId = "" } = await this.account();
    return accountScope({ environment, baseUrl: plainUrl(baseUrl), accountId });
  }

  /** Reads from the service of that account; connects when the first read is made. */
  get service(): ServiceReads {
    return this.#reader;
  }

  /**
   * The connection that reads and money share. Only `movements` sends money over it, with the journal's claim.
   * @throws {Failure} usage | setup
   */
  connection(): Promise<Connection> {
    return (this.#connection ??= checkResultFile(this.result.save, this.host).then(() =>
      openConnection(this.#context, { ...this.#lineFlags, account: this.account() }),
    ));
  }

  /**
   * A probe for any address, with credentials or without: a GET moves no money.
   * @throws {Failure} usage when the certificates cannot be used
   */
  openProbe(): Promise<Probe> {
    return openProbe(this.#context, this.#lineFlags);
  }

  /** A POST to any address, without credentials; throws like `openProbe`. */
  openPost(): Promise<PlainPost> {
    return openPost(this.#context, this.#lineFlags);
  }

  /** The file of `--ca-cert`. */
  get certificates(): string | undefined {
    return this.#flags.caCert;
  }

  get #lineFlags(): LineFlags {
    return { certificates: this.certificates, debug: this.#flags.debug };
  }

  /** Options that decide where the journal and the inbox are. */
  get journalChoice(): JournalChoice {
    const { host, program } = this;
    return {
      host,
      version: program.version,
      profile: this.#profile,
      certificates: this.certificates,
      hide: (secret) => this.hide(secret),
    };
  }

  /**
   * The journal of this user, or the shared one. `read` creates none.
   * @param options as those of `openChosenJournal`
   * @throws {Failure} usage | setup | unavailable
   */
  journal(use: "read" | "write", options: Pick<JournalUse, "account" | "looksAtRefusal"> = {}): Promise<Journal> {
    const warn = (line: string) => this.note(line);
    return (this.#journal ??= openChosenJournal(this.journalChoice, { use, warn, ...options }));
  }

  async close(): Promise<void> {
    await this.#reader.close();
    const journal = await this.#journal?.catch(() => undefined);
    await journal?.close();
  }

  async #openReader(): Promise<Reader> {
    const { clock } = this.clockWatch;
    const patience = { timeoutMs: this.timeoutMs, retries: this.#flags.retries };
    return openReader(this.host, {
      ...patience,
      connection: await this.connection(),
      clock,
      say: (line) => this.note(line),
    });
  }
}
