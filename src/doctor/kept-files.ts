import { join } from "node:path";
import type { Host } from "../host/host.ts";
import { configFolder } from "../profiles/folders.ts";
import { refuseShared } from "../profiles/settings/permissions.ts";
import type { Settings } from "../profiles/profile.ts";
import { checkProfileValue, profileKeys } from "../profiles/profile-values.ts";
import { fileStore } from "../profiles/secrets/file-store.ts";
import { readSettings, settingsPath } from "../profiles/settings/settings.ts";
import { counted } from "../values/text/counted.ts";
import { namePath } from "../values/text/path-name.ts";
import type { Check } from "./check.ts";
import { explain, looking, ok, problem, warning } from "./check.ts";

/** Checks that config.json can be read, and that each profile in it can be used. */
export function checkConfigFile(host: Host): Promise<Check> {
  const check = "config file";
  return looking(check, async () => {
    const path = settingsPath(host);
    const settings = await readSettings(host);
    const facts = await host.files.facts(path);
    if (facts === undefined) return ok(check, `${namePath(path)}: none yet`);
    const faults = faultsIn(settings);
    if (faults.length > 0) return problem(check, `${namePath(path)}: ${faults.join("; ")}.`);
    try {
      refuseShared(host, path, facts, "trusted");
    } catch (error) {
      return warning(check, explain(error));
    }
    return ok(check, `${namePath(path)}: ${describeSettings(settings)}`);
  });
}

/** Checks that credentials.json, if there is one, is readable, and only for this user. */
export function checkCredentialsFile(host: Host): Promise<Check> {
  const check = "credentials file";
  return looking(check, async () => {
    const path = join(configFolder(host), "credentials.json");
    // The profile's name doesn't matter: only the file is checked.
    await fileStore(host, "doctor").read();
    const facts = await host.files.facts(path);
    return ok(check, facts === undefined ? `${namePath(path)}: none` : `${namePath(path)}: yours alone`);
  });
}

/** Never repeats a value: an address may contain a password. */
function faultsIn({ current, profiles }: Settings): string[] {
  const faults = Object.entries(profiles).flatMap(([name, profile]) =>
    profileKeys.flatMap((key) => {
      const value = profile[key];
      const fault = value === undefined ? undefined : checkProfileValue(key, value);
      return fault === undefined ? [] : [`the ${key} of profile ${name} ${fault}`];
    }),
  );
  const lost = current !== undefined && !Object.hasOwn(profiles, current);
  return lost ? [...faults, "the current profile does not exist (partner profile use NAME)"] : faults;
}

function describeSettings({ current, profiles }: Settings): string {
  return `${counted(Object.keys(profiles).length, "profile")}, ${current === undefined ? "none is current" : `current: ${current}`}`;
}
