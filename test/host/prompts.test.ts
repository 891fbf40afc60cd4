import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { PromptAborted } from "../../src/host/process/prompts.ts";
import { terminalPrompts } from "../../src/host/process/terminal-prompts.ts";

/** A terminal whose keys are pressed by the test; `shown` waits until a text has been drawn. */
function terminal() {
  const interruption = new AbortController();
  const input = new PassThrough();
  const output = new PassThrough();
  const prompts = terminalPrompts({ input, output, signal: interruption.signal });
  let drawn = "";
  const watchers = new Set<() => void>();
  output.on("data", (bytes: Buffer) => {
    drawn += bytes.toString();
    for (const watch of watchers) watch();
  });
  const shown = (text: string) =>
    new Promise<void>((resolve) => {
      const watch = () => {
        if (!drawn.includes(text)) return;
        watchers.delete(watch);
        resolve();
      };
      watchers.add(watch);
      watch();
    });
  return { prompts, input, shown, drawn: () => drawn, interruption };
}

test.for([
  ["y", true],
  ["yes", true],
  ["", false],
  ["n", false],
] as const)("a question of yes or no, answered %j, is %j", async ([typed, expected]) => {
  const { prompts, input, shown } = terminal();
  const answer = prompts.confirm("Send 1,000.00 TZS?");
  await shown("(y/N)");
  input.write(`${typed}\r`);
  expect(await answer).toBe(expected);
});

test("a text is asked for again until it is right", async () => {
  const { prompts, input, shown } = terminal();
  const answer = prompts.text({ message: "Name", check: (typed) => typed === "main" || "type main" });
  await shown("Name");
  input.write("x\r");
  await shown("type main");
  input.write("\u007fmain\r");
  expect(await answer).toBe("main");
});

test("a suggested text is accepted with Enter", async () => {
  const { prompts, input, shown } = terminal();
  const answer = prompts.text({ message: "Name", initial: "main" });
  await shown("main");
  input.write("\r");
  expect(await answer).toBe("main");
});

test("a secret is never drawn, not even on request", async () => {
  const { prompts, input, shown, drawn } = terminal();
  const answer = prompts.secret({ message: "Key" });
  await shown("Key");
  // Ctrl-T would show the secret if it were not switched off.
  input.write("s3cret\u0014!\r");
  expect(await answer).toContain("s3cret");
  expect(drawn()).not.toContain("s3cret");
});

test.for([
  ["marked by the terminal", "\u001b[200~\r\n  s3cret-key \n\u001b[201~", "\r"],
  ["marked, in two pieces", "\u001b[200~\ns3cret", "-key\n\u001b[201~\r"],
  ["without marks", "\r  s3cret-key \r", ""],
  ["with a line break behind it", "s3cret-key\r", ""],
] as const)("a secret that is pasted, %s, is one answer without surrounding blanks", async ([, ...pieces]) => {
  const { prompts, input, shown } = terminal();
  const answer = prompts.secret({ message: "Key" });
  await shown("Key");
  for (const piece of pieces) input.write(piece);
  expect((await answer).trim()).toBe("s3cret-key");
});

test.for([
  ["typed", "a-long-secret\r"],
  ["pasted", "\u001b[200~a-long-secret\n\u001b[201~\r"],
])("after an invalid secret the input starts empty, since it cannot be seen: %s", async ([, again = ""]) => {
  const { prompts, input, shown } = terminal();
  let checks = 0;
  const check = (typed: string) => typed.length >= 6 || `too short ${(checks += 1)}`;
  const answer = prompts.secret({ message: "Key", check });
  await shown("Key");
  input.write("short\r");
  await shown("too short 1");
  // Enter alone asks again, so that nothing is taken as the answer by mistake.
  input.write("\r");
  await shown("too short 2");
  input.write(again);
  expect(await answer).toBe("a-long-secret");
});

test("a secret with a line break inside is never cut there: the check sees it", async () => {
  const { prompts, input, shown } = terminal();
  const answer = prompts.secret({ message: "Key", check: (typed) => /^[ -~]*$/.test(typed) || "one line, please" });
  await shown("Key");
  input.write("s3cret\rkey\r");
  await shown("one line, please");
  input.write("\u0015");
  input.write("s3cret-key\r");
  expect(await answer).toBe("s3cret-key");
});

const choices = [
  { value: "live", name: "Live money" },
  { value: "sandbox", name: "Play money" },
] as const;

test("a choice is made with the arrow keys", async () => {
  const { prompts, input, shown } = terminal();
  const answer = prompts.choose("Environment", choices);
  await shown("Play money");
  input.write("\u001b[B\r");
  expect(await answer).toBe("sandbox");
});

test("a search narrows down while the person types", async () => {
  const { prompts, input, shown } = terminal();
  const answer = prompts.search("Environment", (typed) =>
    choices.filter(({ name }) => name.toLowerCase().includes(typed) && typed !== ""),
  );
  await shown("Environment");
  input.write("play");
  await shown("Play money");
  input.write("\r");
  expect(await answer).toBe("sandbox");
});

test.for([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
] as const)("%s is not an answer", async ([, key]) => {
  const { prompts, input, shown } = terminal();
  const answer = prompts.confirm("Send?");
  await shown("(y/N)");
  input.write(key);
  await expect(answer).rejects.toBeInstanceOf(PromptAborted);
});

test("a closed terminal is not an answer", async () => {
  const { prompts, input, shown } = terminal();
  const answer = prompts.confirm("Send?");
  await shown("(y/N)");
  input.end();
  await expect(answer).rejects.toBeInstanceOf(PromptAborted);
});

test("a terminal that was already read to its end is not an answer", async () => {
  const { prompts, input } = terminal();
  input.end();
  await input.resume().toArray();
  await expect(prompts.confirm("Send?")).rejects.toBeInstanceOf(PromptAborted);
});

test("a suggested text is drawn as it would be when typed", async () => {
  const { prompts, input, shown } = terminal();
  const answer = prompts.text({
    message: "Amount",
    initial: "1500000",
    show: (typed) => typed.replace("1500", "1,500,"),
  });
  await shown("(1,500,000)");
  input.write("\r");
  expect(await answer).toBe("1500000");
});

test("a signal is not an answer", async () => {
  const { prompts, shown, interruption } = terminal();
  const answer = prompts.confirm("Send?");
  await shown("(y/N)");
  interruption.abort("SIGTERM");
  await expect(answer).rejects.toBeInstanceOf(PromptAborted);
});
