import type { Files } from "../../host/files/files.ts";
import type { SimulatedClock } from "./clock.ts";
import { saveState } from "../state.ts";
import type { World } from "../world.ts";

/** Saves the world to the disk: an answer waits until its change is saved. */
export interface Persistence {
  /** Resolves when all changes so far are saved. */
  save(): Promise<void>;
}

/** Without a file nothing is kept. */
export const forgetful: Persistence = { save: () => Promise.resolve() };

/**
 * Saves into the state file, one writing at a time. All who ask while one is running share the next, so that many
 * requests at once cost two writings and not one each.
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
