import { useVersion } from "../../with-postgres.ts";
import { sharedTests } from "./shared-tests.ts";

// All that is tested every day with the system's own server, on this version.
useVersion(18);
await sharedTests();
