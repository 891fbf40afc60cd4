import { once } from "node:events";
import type { Socket } from "node:net";
import { connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

/** `closed`: it never arrives, nor does anything after it. `last`: it is done, and nothing comes through after it. */
type Fate = "done" | "never" | "closed" | "last";

/**
 * A connection to the server that breaks: the n-th commit from now, or the one with that text, is done or never
 * arrives,
 * and its answer is lost. Bytes before `after` do not count.
 */
export interface Way {
  readonly address: string;
  breakAt(commit: number, fate: Fate, sign?: string, after?: string): void;
  /** From now on nothing comes through. */
  close(): void;
  open(): void;
  /** From now on nothing comes through, not even the end of a connection. */
  swallow(): void;
  /** From now on answers are held back until the client asks nothing more. */
  gather(): void;
  /** How many queries it has sent. */
  readonly questions: number;
  /** How many queries it has sent after an answer. */
  readonly roundTrips: number;
}

/** The end of a transaction, in the query and in the answer. */
const commitSign = "COMMIT\0";

const gatheringMs = 100;

/** A proxy in front of the server of that address. */
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
      // Earlier queries are answered first: only the commit's own answer says that it was done.
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
