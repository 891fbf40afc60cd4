import { once } from "node:events";
import type { Socket } from "node:net";
import { connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

/** `closed`: it never arrives, and nothing does after it. `last`: it is done, and nothing comes through after it. */
type Fate = "done" | "never" | "closed" | "last";

/**
 * A way to the server that breaks off: the n-th commit from now, or whatever has that sign, is done, or never arrives,
 * and nobody hears of it. What comes before `after` does not count.
 */
export interface Way {
  readonly address: string;
  breakAt(commit: number, fate: Fate, sign?: string, after?: string): void;
  /** From now on nothing comes through. */
  close(): void;
  open(): void;
  /** From now on nothing comes through, and no end of a connection does, either. */
  swallow(): void;
  /** From now on answers are held back until nothing more is asked with them. */
  gather(): void;
  /** How often it was asked for something that is read. */
  readonly questions: number;
  /** How often it was asked for something after it had answered. */
  readonly roundTrips: number;
}

/** The end of a transaction, as it is asked for and as it is answered. */
const commitSign = "COMMIT\0";

const gatheringMs = 100;

/** A proxy before the server of that address. */
export async function wayTo(address: string): Promise<Way> {
  let left = Infinity;
  let fate: Fate = "done";
  let sign = "";
  let start = "";
  let isCounting = true;
  let isClosed = false;
  let isSwallowing = false;
  let questions = 0;
  let roundTrips = 0;
  let isGathering = false;
  const sockets = new Set<Socket>();
  const way = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(Number(new URL(address).port), "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => [near, far].forEach((each) => each.destroy()));
    }
    if (isClosed) near.destroy();
    let isDeaf = false;
    let isAnswered = true;
    near.on("end", () => {
      if (!isSwallowing) near.end();
    });
    near.on("data", (bytes) => {
      if (isSwallowing) return;
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
      if (bytes.includes("BEGIN READ ONLY")) questions += 1;
      isCounting ||= bytes.includes(start);
      if (isCounting && bytes.includes(sign)) left -= 1;
      isDeaf = left === 0;
      if (isDeaf && (fate === "never" || fate === "closed")) breakOff();
      else far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (isGathering) {
        setTimeout(() => {
          near.write(bytes);
          isAnswered = true;
        }, gatheringMs);
        return;
      }
      isAnswered = true;
      // What was asked for before the commit is answered first: only its own answer says that it was done.
      if (isDeaf && (sign !== commitSign || bytes.includes(commitSign))) breakOff();
      else if (!isDeaf) near.write(bytes);
    });
    const breakOff = () => {
      left = Infinity;
      isClosed = fate === "closed" || fate === "last";
      near.destroy();
    };
  }).listen(0, "127.0.0.1");
  await once(way, "listening");
  onTestFinished(() => void way.close());
  const place = way.address();
  const url = new URL(address);
  url.port = String(typeof place === "object" ? place?.port : "");
  return {
    address: url.href,
    breakAt(commit, how, what = commitSign, after = "") {
      sign = what;
      start = after;
      isCounting = false;
      left = commit;
      fate = how;
    },
    gather: () => void (isGathering = true),
    get roundTrips() {
      return roundTrips;
    },
    get questions() {
      return questions;
    },
    open: () => void (isClosed = false),
    swallow: () => void (isSwallowing = true),
    close() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}
