import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const file = join(root, "npm-shrinkwrap.json");

type Entry = Readonly<Record<string, unknown>>;

/**
 * The text of `npm-shrinkwrap.json`: what the published package lets npm install, down to the hash. Everything else is
 * bundled, so that is the optional keyring and its native parts. Taken from the lock file, and without the addresses in
 * it: each installation asks its own registry.
 */
export function shrinkwrap(packageJson: string, lockFile: string): string {
  const { name, version, license, bin, engines, optionalDependencies } = JSON.parse(packageJson);
  const locked: { packages: Readonly<Record<string, Entry>> } = JSON.parse(lockFile);
  const kept = Object.entries(locked.packages).filter(
    ([place, entry]) => place !== "" && entry["dev"] !== true && entry["link"] !== true,
  );
  const packages = kept.map(([place, entry]) => [place, atHome(entry)]);
  const own = { name, version, license, optionalDependencies, bin, engines };
  const content = {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": own, ...Object.fromEntries(packages) },
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function atHome(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key !== "resolved"));
}

// `prepack` makes the file and `postpack` takes it away: npm would take it for the development's own lock file.
if (import.meta.main) {
  if (process.argv.includes("--remove")) rmSync(file, { force: true });
  else
    writeFileSync(
      file,
      shrinkwrap(
        readFileSync(join(root, "package.json"), "utf8"),
        readFileSync(join(root, "package-lock.json"), "utf8"),
      ),
    );
}
