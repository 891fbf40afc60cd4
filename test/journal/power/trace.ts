/** What a process did to the files of one folder, and what it printed meanwhile, in order. */
export type Deed =
  | { readonly does: "create"; readonly path: string }
  | { readonly does: "write"; readonly path: string; readonly offset: number | "end"; readonly bytes: Buffer }
  | { readonly does: "truncate"; readonly path: string; readonly size: number }
  | { readonly does: "sync"; readonly path: string }
  | { readonly does: "fail to sync"; readonly path: string }
  | { readonly does: "rename" | "link"; readonly path: string; readonly to: string }
  | { readonly does: "remove"; readonly path: string }
  | { readonly does: "say"; readonly text: string };

/** For strace: the calls that change files, with every byte of them in hexadecimal. */
export const traceOptions = [
  ..."-f -y -xx -s 1000000 -e".split(" "),
  "trace=openat,write,writev,pwrite64,pwritev,fsync,fdatasync,ftruncate,fallocate,unlink,unlinkat,link,linkat,rename,renameat,renameat2",
];

/** @throws {Error} for a call on those files that the replay does not know: without it the test would be incomplete */
export function readTrace(trace: string, folder: string): Deed[] {
  const deeds: Deed[] = [];
  for (const line of wholeLines(trace)) {
    const [, call = "", rest = "", result = ""] = /^\d+\s+(\w+)\((.*)\)\s+= (-?\w+)/s.exec(line) ?? [];
    const hasFailed = result.startsWith("-");
    const isFailedSync = hasFailed && /^f(?:data)?sync$/.test(call);
    if (result === "" || (hasFailed && !isFailedSync)) continue;
    const [path = "", to = ""] = pathsOf(rest).filter((name) => name === folder || name.startsWith(`${folder}/`));
    if (isFailedSync) {
      if (path !== "") deeds.push({ does: "fail to sync", path });
      continue;
    }
    if (call === "write" && rest.startsWith("1<")) deeds.push({ does: "say", text: bytesOf(rest).toString() });
    else if (path !== "") deeds.push(...deedOf(call, rest, path, to));
  }
  return deeds;
}

function deedOf(call: string, rest: string, path: string, to: string): Deed[] {
  const lastNumber = () => Number(/(\d+)$/.exec(rest)?.[1]);
  if (call === "openat") {
    const deeds: Deed[] = rest.includes("O_CREAT") ? [{ does: "create", path }] : [];
    return rest.includes("O_TRUNC") ? [...deeds, { does: "truncate", path, size: 0 }] : deeds;
  }
  if (call === "pwrite64") return [{ does: "write", path, offset: lastNumber(), bytes: bytesOf(rest) }];
  if (call === "write") return [{ does: "write", path, offset: "end", bytes: bytesOf(rest) }];
  if (call === "ftruncate") return [{ does: "truncate", path, size: lastNumber() }];
  if (call === "fsync" || call === "fdatasync") return [{ does: "sync", path }];
  if (call.startsWith("rename")) return [{ does: "rename", path, to }];
  if (call.startsWith("link")) return [{ does: "link", path, to }];
  if (call.startsWith("unlink")) return [{ does: "remove", path }];
  throw new Error(`The trace has a call that the replay does not know: ${call}`);
}

/** Calls that other threads interrupt are traced in two halves; the time of their end counts. */
function* wholeLines(trace: string): Generator<string> {
  const begun = new Map<string, string>();
  for (const line of trace.split("\n")) {
    const [thread = ""] = line.split(" ");
    const [, half] = /^(.*) <unfinished \.\.\.>$/s.exec(line) ?? [];
    const [, end] = /^\d+\s+<\.\.\. \w+ resumed>(.*)$/s.exec(line) ?? [];
    if (half !== undefined) begun.set(thread, half);
    else yield end === undefined ? line : `${begun.get(thread) ?? ""}${end}`;
  }
}

function pathsOf(rest: string): string[] {
  return [...rest.matchAll(/[<"]((?:\\x[0-9a-f]{2})+)[>"]/g)].map(([, hex = ""]) => decode(hex).toString());
}

function bytesOf(rest: string): Buffer {
  const [, hex = ""] = /"((?:\\x[0-9a-f]{2})*)"/.exec(rest) ?? [];
  return decode(hex);
}

function decode(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(String.raw`\x`, ""), "hex");
}
