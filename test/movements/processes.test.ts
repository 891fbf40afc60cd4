import { kinds } from "./kinds.ts";
import { testKilledBefore, testKilledInFlight, testKilledRival, testRace } from "./processes.ts";

// All moments and all kinds are gone through by the long run.
const [first, ...others] = kinds;

testKilledInFlight(first, ["the request has arrived", "all but the last byte has come"], ["SIGKILL"]);
testKilledInFlight(first, ["the answer's head has come"], ["SIGINT"]);
testKilledBefore(first, ["SIGKILL", "SIGINT", "SIGTERM"]);
testRace(first, 4);
testKilledRival(first);
for (const kind of others) testKilledInFlight(kind, ["the request has arrived"], ["SIGKILL"]);
