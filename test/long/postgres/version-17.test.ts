import { useVersion } from "../../with-postgres.ts";
import { sharedTests } from "./shared-tests.ts";

// All daily tests with the system's own server, on this version.
useVersion(17);
await sharedTests();
