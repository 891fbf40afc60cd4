import type { Prng } from "../../src/simulator/prng.ts";
import type { TownDisk } from "./town-disk.ts";
import { openDisk } from "./town-disk.ts";

/** Where orders are placed: a machine, and its folder with the journal. */
export interface Post {
  readonly machine: number;
  readonly stateFolder: string;
}

export const configFolder = "/town";
const stateFolder = `${configFolder}/state`;

type Settings = Readonly<Record<string, string>>;

/** The machines of the person who orders, each with its own disk, the place in use, and the account's current name. */
export class Premises {
  readonly #disks: TownDisk[] = [openDisk()];
  readonly #account: Settings;
  #names: Settings = {};
  post: Post = { machine: 0, stateFolder };
  #folders = 0;

  /** @param account the variables that address the service */
  constructor(account: Settings) {
    this.#account = account;
  }

  get disk(): TownDisk {
    const disk = this.#disks[this.post.machine];
    if (disk === undefined) throw new Error("There is no such machine");
    return disk;
  }

  /** The id of this machine. */
  get machineId(): string {
    return `machine ${this.post.machine}`;
  }

  get environment(): Settings {
    return {
      PARTNER_CONFIG_DIR: configFolder,
      PARTNER_STATE_DIR: this.post.stateFolder,
      ...this.#account,
      ...this.#names,
    };
  }

  /** An unused folder. */
  newFolder(): string {
    this.#folders += 1;
    return `${configFolder}/folder-${this.#folders}`;
  }

  /** Adds a machine with everything of this one. */
  async clone(): Promise<Post> {
    const disk = openDisk();
    await this.disk.copy(configFolder, configFolder, disk);
    this.#disks.push(disk);
    return { ...this.post, machine: this.#disks.length - 1 };
  }

  /** Uses another name for the account from now on. */
  call(names: Settings): void {
    this.#names = names;
  }

  /** Draws another name of the account: either its label or its address is the same as for the first orders. */
  rename(draw: Prng): string {
    const { PARTNER_BASE_URL: address = "" } = this.#account;
    const at = (origin: string) => ({ PARTNER_BASE_URL: address.replace(/^http:\/\/127\.0\.0\.1/, origin) });
    const names = draw.pick<Settings>([
      {},
      { PARTNER_ENVIRONMENT: "live" },
      { PARTNER_ENVIRONMENT: "live", PARTNER_BASE_URL: `${address}/` },
      { PARTNER_ENVIRONMENT: "live", ...at("http://[::1]") },
      at("HTTP://LocalHost"),
      at("https://pay.example"),
    ]);
    this.call(names);
    return JSON.stringify(names);
  }

  close(): void {
    for (const disk of this.#disks) disk.close();
  }
}
