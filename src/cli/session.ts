import { defaultMoneyTimeoutMs, defaultRetries, defaultTimeoutMs } from "../client/limits.ts";
import { Mover } from "../client/mover.ts";
import { Reader } from "../client/reader.ts";
import type { Host } from "../host/host.ts";
import type { Journal } from "../journal/journal.ts";
import { accountScope } from "../journal/movement.ts";
import type { MoneyTools } from "../movements/perform.ts";
import type { Account } from "../profiles/account.ts";
import { plainUrl } from "../profiles/base-url.ts";
import { resolveAccount } from "../profiles/resolve.ts";
import { noSuchColumn } from "../report/columns.ts";
import type { Format } from "../report/options.ts";
import type { Report } from "../report/report.ts";
import { checkSave, saveText } from "../report/save.ts";
import { writeReport } from "../report/write.ts";
import type { FileFormat } from "../statements/formats/encoders.ts";
import type { Day } from "../values/day.ts";
import { dayInDarEsSalaam } from "../values/day.ts";
import { formatDuration } from "../values/duration.ts";
import type { Field } from "../values/field.ts";
import type { Period, PeriodFlags } from "../values/period.ts";
import { describePeriod, resolvePeriod } from "../values/period.ts";
import { Failure } from "../values/failure.ts";
import { quote, visible } from "../values/text.ts";
import type { JournalChoice } from "./journal/choice.ts";
import { openChosenJournal } from "./journal/choice.ts";
import type { ServiceLine } from "./service-line.ts";
import { openLine, openWire } from "./service-line.ts";
import type { CommonFlags, ResultOptions } from "./result-options.ts";
import { resultOptions } from "./result-options.ts";
import { wantsColour } from "./wishes.ts";
import type { World } from "./world.ts";

/** Crockford's base 32: no letter looks like a digit. */
const referenceAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * What a command gets to work with: the service to read from, the day that it is there, and a place to say what it has
 * to say. Nothing is loaded, looked up or connected before it is used.
 */
export class Session {
  readonly host: Host;
  #result: ResultOptions;
  readonly #world: World;
  readonly #flags: CommonFlags;
  #profile: string | undefined;
  #account: Promise<Account> | undefined;
  #reader: Promise<Reader> | undefined;
  #serviceLine: Promise<ServiceLine> | undefined;
  #journal: Promise<Journal> | undefined;

  constructor(world: World, flags: CommonFlags, fileFormats: readonly FileFormat[]) {
    this.host = world.host;
    this.#world = world;
    this.#flags = flags;
    this.#profile = flags.profile;
    const colour = wantsColour(flags.noColor ? ["--no-color"] : [], world.host);
    this.#result = resultOptions(flags, world.host, colour, fileFormats);
  }

  /** How the result is shown, and where it goes. */
  get result(): ResultOptions {
    return this.#result;
  }

  /**
   * Gives the file of `--save` its name, where what was typed had `{account}` and the like in it.
   * @param save undefined as long as it is not known
   */
  saveAs(save: string | undefined): void {
    this.#result = { ...this.#result, save };
  }

  /** What the manifest says of every command, for completion scripts. */
  commands(): ReturnType<World["commands"]> {
    return this.#world.commands();
  }

  get version(): string {
    return this.#world.version;
  }

  get format(): Format {
    return this.result.format;
  }

  /** The profile that the command line names; resolving decides about the rest. */
  get profileFlag(): string | undefined {
    return this.#profile;
  }

  /** Lets a command's own argument name the profile, over `--profile`. */
  useProfile(name: string | undefined): void {
    this.#profile = name ?? this.#profile;
  }

  /** The account that the flags, the environment and the profile speak of. */
  account(): Promise<Account> {
    return (this.#account ??= resolveAccount(this.host, { profile: this.#profile }));
  }

  /** Reads from the service of that account; connects when the first read is made. */
  readonly service: Pick<Reader, "read" | "glance"> = {
    read: async (endpoint, input) => (await this.#connect()).read(endpoint, input),
    glance: async (endpoint, input) => (await this.#connect()).glance(endpoint, input),
  };

  /** The day in Dar es Salaam, which is the service's own. */
  today(): Day {
    return dayInDarEsSalaam(this.host.clock.now());
  }

  /** A reference that nobody used before: the kind, the day, and 50 random bits that are easy to read out. */
  newReference(kind: "T" | "W" | "C" | "R"): string {
    const day = this.today().toString().slice(2).replaceAll("-", "");
    const letters = Array.from(this.host.ids.bytes(10), (byte) => referenceAlphabet.charAt(byte % 32));
    return `${kind}${day}${letters.join("")}`;
  }

  /** The period that the flags ask for, said on stderr so that nobody has to work out what `--last-month` meant. */
  async period(flags: PeriodFlags): Promise<Period> {
    const period = resolvePeriod(flags, this.today());
    await this.note(`Period: ${describePeriod(period)}`);
    return period;
  }

  /** One line for a person, on stderr; not with `--quiet`. */
  async note(line: string): Promise<void> {
    if (!this.result.quiet) await this.host.stderr.write(`${visible(line)}\n`);
  }

  /** True where a person can be asked: stdin and stderr are terminals and nothing says otherwise. */
  get canAsk(): boolean {
    const silenced = this.#flags.noInput || (this.host.environment["PARTNER_NO_INPUT"] ?? "") !== "";
    return !silenced && this.host.stdin.isTerminal && this.host.stderr.isTerminal;
  }

  /** Waits for Ctrl-C or TERM, which end a server well. */
  async untilStopped(): Promise<void> {
    const { signal } = this.host;
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /**
   * Runs another program on this terminal; `partner` is this very program, wherever it is installed.
   * @throws {Failure} usage when there is no such program
   */
  async runProgram(
    name: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<number> {
    const [command, ...before] = name === "partner" ? this.#ownCommand() : [name];
    try {
      const { exit } = await this.host.run({ command, args: [...before, ...args], environment, streams: "inherit" });
      return exit;
    } catch (cause) {
      throw new Failure("usage", `${quote(name)} cannot be run.`, {
        hint: "Check its name and that it may be executed.",
        cause,
      });
    }
  }

  /** What starts this very program. */
  #ownCommand(): [string, ...string[]] {
    const { isStandalone, nodePath } = this.host.machine;
    return isStandalone ? [nodePath] : [nodePath, this.#world.script];
  }

  /** @throws {Failure} usage | unavailable */
  async writeFile(path: string, text: string, flag: string): Promise<void> {
    await saveText(path, text, this.host.files, flag);
  }

  /** Ends the run with another program's exit code. */
  endWith(exit: number): void {
    this.#world.exit = exit;
  }

  async say(report: Report): Promise<void> {
    try {
      await writeReport(report, this.result, this.host);
    } catch (error) {
      const told = report.shape === "record" || report.shape === "rows" ? report : undefined;
      const happened = told?.happened;
      const ending = happened === undefined ? undefined : told?.findings?.().carried;
      if (happened === undefined || !(error instanceof Failure) || error.message === ending?.message) throw error;
      // Money that moved is not undone by a full disk, and must not be sent again because of one.
      await this.host.stderr.write(`${visible(`${error.message} ${happened}`)}\n`);
      if (ending !== undefined) throw ending;
    }
  }

  /** @throws {Failure} usage when `--columns` names what a result of these fields will not have */
  checkColumns(fields: readonly Field[]): void {
    const unknown = this.result.columns?.find((name) => !fields.some((field) => field.name === name));
    if (unknown !== undefined) throw noSuchColumn(unknown, fields);
  }

  /**
   * The journal of this user. `read` makes none where there is none.
   * @throws {Failure} setup | unavailable
   */
  journal(use: "read" | "write"): Promise<Journal> {
    return (this.#journal ??= openChosenJournal(this.journalChoice, { use, warn: (line) => this.note(line) }));
  }

  /** What says where the journal and the inbox are. */
  get journalChoice(): JournalChoice {
    const { host, version } = this;
    const hide = (secret: string) => void this.#world.secrets.add(secret);
    return { host, version, profile: this.#profile, certificates: this.#flags.caCert, hide };
  }

  /** Whose orders the journal keeps apart: the account, whichever profile names it. */
  async accountScope(): Promise<string> {
    const { environment, baseUrl, accountId = "" } = await this.account();
    return accountScope({ environment, baseUrl: plainUrl(baseUrl), accountId });
  }

  /**
   * All that is needed to move money: journal, sender and whose account it is.
   * @throws {Failure} setup | unavailable
   */
  async moneyTools(): Promise<MoneyTools> {
    const [account, { service, transport }] = [await this.account(), await this.serviceLine()];
    const credentials = await service.credentials("A");
    const deadlineMs = this.#flags.timeout ?? defaultMoneyTimeoutMs;
    return {
      host: this.host,
      journal: await this.journal("write"),
      mover: new Mover({ service, transport, timeoutMs: deadlineMs }),
      scope: await this.accountScope(),
      profile: account.name,
      credentials,
      deadlineMs,
      guards: account.guards,
      say: (line) => this.note(line),
    };
  }

  /** What there is before any account is known to be right: for `doctor`. */
  get surroundings() {
    const { caCert: certificates, debug, timeout } = this.#flags;
    return {
      host: this.host,
      version: this.version,
      nodeRange: this.#world.nodeRange,
      profile: this.#profile,
      certificates,
      timeoutMs: timeout ?? defaultTimeoutMs,
      openWire: () => openWire(this.host, { certificates, debug }),
      openJournal: () => openChosenJournal(this.journalChoice, { use: "read", warn: () => undefined }),
      hide: (secret: string) => void this.#world.secrets.add(secret),
    };
  }

  async close(): Promise<void> {
    const reader = await this.#reader?.catch(() => undefined);
    await reader?.close();
    const journal = await this.#journal?.catch(() => undefined);
    await journal?.close();
  }

  #connect(): Promise<Reader> {
    return (this.#reader ??= this.#open());
  }

  async #open(): Promise<Reader> {
    if (this.result.save !== undefined) await checkSave(this.result.save, this.host.files);
    return new Reader(this.host, {
      ...(await this.serviceLine()),
      timeoutMs: this.#flags.timeout ?? defaultTimeoutMs,
      retries: this.#flags.retries ?? defaultRetries,
      onWait: (waitMs, cause) => void this.note(`${cause.message} Trying again ${afterAWait(waitMs)}.`),
    });
  }

  /** The way to the service that reads and money share. */
  serviceLine(): Promise<ServiceLine> {
    return (this.#serviceLine ??= openLine(this.host, {
      account: this.account(),
      certificates: this.#flags.caCert,
      debug: this.#flags.debug,
      secrets: this.#world.secrets,
    }));
  }
}

export function openSession(world: World, flags: CommonFlags, fileFormats: readonly FileFormat[] = []): Session {
  return new Session(world, flags, fileFormats);
}

function afterAWait(ms: number): string {
  return ms === 0 ? "now" : `in ${formatDuration(ms)}`;
}
