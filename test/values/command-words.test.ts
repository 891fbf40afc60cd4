import { expect, test } from "vitest";
import { commandWords } from "../../src/values/text/command-words.ts";

test.each([
  ["pass show shop", ["pass", "show", "shop"]],
  ["  op   read\t'a b'  ", ["op", "read", "a b"]],
  [String.raw`say "he said \"no\" \n" it\'s`, ["say", String.raw`he said "no" \n`, "it's"]],
  [`x"y z"'q r'w`, ["xy zq rw"]],
  [`run "" ''`, ["run", "", ""]],
  ["echo $HOME | cat > ~/x *", ["echo", "$HOME", "|", "cat", ">", "~/x", "*"]],
  ["", []],
])("%s is split as by a shell", (line, words) => {
  expect(commandWords(line)).toEqual(words);
});

test.each([`say "open`, "say 'open", "say open\\"])("%s has no end, so it has no words", (line) => {
  expect(commandWords(line)).toBeUndefined();
});
