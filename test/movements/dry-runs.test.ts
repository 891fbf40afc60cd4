import { describe, expect, test } from "vitest";
import { movementNouns as nouns } from "../../src/journal/movement.ts";
import { startRun } from "./child.ts";
import { kinds } from "./kinds.ts";
import { accept, environmentAt } from "./service.ts";
import { saying, teller } from "./teller.ts";
import { openTill } from "./till.ts";

// `--dry-run` reports a used reference as a real run does.

const nothing = saying("500 Internal Server Error", "");

describe.each(kinds)("a dry run of a $kind", (kind) => {
  test.for(["unknown", kind.state] as const)(
    "with a reference that is %s says that nothing would be sent",
    async (state) => {
      const service = await teller({ react: state === "unknown" ? nothing : accept });
      const till = openTill(environmentAt(service.origin));
      const first = await till.run(kind.line("R-1"));
      const dry = await till.run(`${kind.line("R-1")} --dry-run`);
      expect(dry.exit).toBe(0);
      expect(dry.stderr).toContain(`Warning: The reference "R-1" is used: it is ${state}, ordered `);
      expect(dry.stderr).toContain("A run sends nothing and reports its outcome.");
      expect((await till.run(kind.line("R-1"))).exit).toBe(first.exit);
      expect(service.requests).toHaveLength(1);
    },
  );

  test("with a reference of another request says that it would be refused, and names the difference", async () => {
    const service = await teller({ react: nothing });
    const till = openTill(environmentAt(service.origin));
    await till.run(kind.line("R-1"));
    const line = kind.line("R-1", kind.amounts[1]);
    const dry = await till.run(`${line} --dry-run`);
    expect(dry.exit).toBe(0);
    expect(dry.stderr).toContain(
      `Warning: The reference "R-1" belongs to another ${nouns[kind.kind]}, which is unknown: `,
    );
    expect(dry.stderr).toContain(`was ${kind.amounts[0]}, is ${kind.amounts[1]} now`);
    expect((await till.run(line)).exit).toBe(2);
  });

  test("with a refused reference doesn't mention it: the reference can be used again", async () => {
    const service = await teller({
      react: saying("400 Bad Request", '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"no"}}'),
    });
    const till = openTill(environmentAt(service.origin));
    expect((await till.run(kind.line("R-1"))).exit).toBe(4);
    const dry = await till.run(`${kind.line("R-1")} --dry-run`);
    expect([dry.exit, dry.stderr.includes("The reference")]).toEqual([0, false]);
  });
});

test("an order whose process was killed is reported with one full stop", async () => {
  const asked = Promise.withResolvers<void>();
  const service = await teller({ react: () => asked.resolve() });
  const till = openTill(environmentAt(service.origin));
  const child = startRun(kinds[0].line("R-1"), till);
  await asked.promise;
  child.kill("SIGKILL");
  await child.run;
  const told = await till.run(kinds[0].line("R-1"));
  expect(told.exit).toBe(6);
  expect(told.stderr).toContain("before an outcome was recorded.");
  expect(told.stderr).not.toContain("..");
});
