import type { Files } from "../../host/files/files.ts";
import type { SimulatedClock } from "./clock.ts";
import { saveState } from "../state.ts";
import type { World } from "../world.ts";

/** Saves the world: an answer waits until its change is saved. */
export interface Persistence {
  /** Resolves when all changes so far are saved. */
  save(): Promise<void>;
}

/** Without a file nothing is kept. */
export const noPersistence: Persistence = { save: () => Promise.resolve() };

/**
 * Saves to the state file, one write at a time. Requests that arrive during a write share the next one: many at once
 * need two writes, not one each.
 */
export function persistIn(path: string, files: Files, world: World, clock: SimulatedClock): Persistence {
  let running: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  const write = () => {
    waiting = undefined;
    return saveState(files, path, world, clock.now());
  };
  return {
    save() {
      if (waiting === undefined) {
        waiting = running.then(write, write);
        running = waiting;
      }
      return waiting;
    },
  };
}
