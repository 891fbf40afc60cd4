import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";

const root = join(import.meta.dirname, "..", "..");

interface Manifest {
  readonly commands: Readonly<Record<string, Described>>;
}
interface Described {
  readonly summary: string;
  readonly args: object;
  readonly flags: Readonly<Record<string, { readonly summary: string; readonly char?: string; readonly type: string }>>;
}

/** What a manifest says about its commands, without the parts that only its maker needs. */
function essence(path: string): unknown {
  const { commands }: Manifest = JSON.parse(readFileSync(path, "utf8"));
  return Object.fromEntries(
    Object.entries(commands).map(([id, { summary, args, flags }]) => [
      id,
      {
        summary,
        args: Object.keys(args),
        flags: Object.entries(flags).map(([name, flag]) => [name, flag.char, flag.type, flag.summary]),
      },
    ]),
  );
}

test("oclif's own tool finds the same commands in the build as our manifest", () => {
  const folder = temporaryFolder();
  for (const part of ["dist", "bin", "package.json"]) cpSync(join(root, part), join(folder, part), { recursive: true });
  const path = `${join(root, "node_modules", ".bin")}${delimiter}${process.env["PATH"]}`;
  execFileSync("oclif", ["manifest", folder], { cwd: folder, stdio: "ignore", env: { PATH: path, HOME: folder } });
  expect(essence(join(folder, "oclif.manifest.json"))).toEqual(essence(join(root, "oclif.manifest.json")));
});
