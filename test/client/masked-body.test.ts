import * as fc from "fast-check";
import { expect, test } from "vitest";
import { maskedBody } from "../../src/client/masked-body.ts";
import { withoutSecrets } from "../../src/values/text/without-secrets.ts";

const secret = "aa/aab+a=";

/** Words with the same beginning as the secret, and the secret in each spelling. */
const word = fc.constantFrom(
  "a",
  "aa",
  "aa/",
  "aa/aab",
  secret,
  String.raw`aa\/aab+a=`,
  "aa%2Faab%2Ba%3D",
  "\u00FF",
  "x",
);

test("a secret is masked wherever a body is divided, and every other byte stays", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(word), fc.infiniteStream(fc.integer({ min: 1, max: 12 })), async (words, sizes) => {
      const whole = Buffer.from(words.join(""), "latin1");
      async function* pieces() {
        for (let at = 0; at < whole.length;) {
          const { value = 1 } = sizes.next();
          yield whole.subarray(at, at + value);
          at += value;
        }
      }
      const masked: Uint8Array[] = [];
      for await (const piece of maskedBody(pieces(), secret)) masked.push(piece);
      expect(Buffer.concat(masked).toString("latin1")).toBe(withoutSecrets(whole.toString("latin1"), [secret]));
    }),
  );
});

async function* shortBody() {
  yield Buffer.from('[{"tranRefNo":"INV-2026-4"}]');
}

test("a secret that is short enough to occur by chance changes no row", async () => {
  const read: Uint8Array[] = [];
  for await (const piece of maskedBody(shortBody(), "2026-4")) read.push(piece);
  expect(Buffer.concat(read).toString()).toBe('[{"tranRefNo":"INV-2026-4"}]');
});
