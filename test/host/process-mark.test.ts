import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { processFate, processMark } from "../../src/host/process/process-mark.ts";

/** The mark of this process, with parts of another one. */
function marked(changes: Readonly<Record<string, unknown>>): string {
  const mark: unknown = JSON.parse(processMark());
  return JSON.stringify(Object.assign({}, mark, changes));
}

const onLinux = process.platform === "linux";

test("this process runs", () => {
  expect(processFate(processMark())).toBe("running");
});

test.runIf(onLinux)("another process runs while it has the same id and start", () => {
  expect(processFate(marked({ anotherMember: "of a later version" }))).toBe("running");
});

test("a process that has ended is known to have ended", async () => {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  const { pid } = child;
  await once(child, "close");
  expect(processFate(marked({ pid, start: "1" }))).toBe("ended");
});

test.runIf(onLinux)("a process id that was given to another process doesn't count as the first process", () => {
  expect(processFate(marked({ start: "1" }))).toBe("ended");
});

test.runIf(onLinux)("a process from before the machine's restart has ended", () => {
  expect(processFate(marked({ boot: "another" }))).toBe("ended");
});

test.runIf(onLinux)("the fate of a process in another container or on another machine is unclear", () => {
  expect(processFate(marked({ space: "pid:[1]" }))).toBe("unclear");
  expect(processFate(marked({ host: "another", boot: "another" }))).toBe("unclear");
  expect(processFate(marked({ host: "another", boot: undefined, space: undefined, start: undefined }))).toBe("unclear");
});

test.runIf(onLinux)("a process with a known id and no known start may be another one by now", () => {
  expect(processFate(marked({ start: undefined }))).toBe("unclear");
});

test.each(["", "{}", "[]", "null", `{"pid":-1,"host":"a"}`, `{"pid":"1","host":"a"}`])(
  "the fate of %s is unclear",
  (text) => {
    expect(processFate(text)).toBe("unclear");
  },
);
