import { size } from "../journal/long.ts";
import { kinds } from "./kinds.ts";
import {
  everyMoment,
  testKilledBefore,
  testKilledInFlight,
  testKilledRival,
  testRace,
  testStoppedInFlight,
} from "./processes.ts";

const everySignal = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

// The long run covers all moments and all kinds.
if (size(0, 1) === 1) {
  for (const kind of kinds) {
    testKilledInFlight(kind, everyMoment);
    testStoppedInFlight(kind, everyMoment, everySignal);
    testKilledBefore(kind, ["SIGKILL", ...everySignal]);
    // A read before the order shows that the process has arrived there.
    if (kind.readsBefore === 0) continue;
    testRace(kind, 8);
    testKilledRival(kind);
  }
} else {
  const [first, ...others] = kinds;
  testKilledInFlight(first, ["the request has arrived", "all but the last byte has come"]);
  testStoppedInFlight(first, ["the request has arrived"], everySignal);
  testStoppedInFlight(first, ["the answer's head has come"], ["SIGHUP"]);
  testKilledBefore(first, ["SIGKILL", ...everySignal]);
  testRace(first, 4);
  testKilledRival(first);
  for (const kind of others) testKilledInFlight(kind, ["the request has arrived"]);
}
