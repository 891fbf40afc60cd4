import { expect, test } from "vitest";
import { withoutSignature } from "../../scripts/package/windows-signature.ts";

const [headerAt, entryAt] = [0x80, 0x80 + 24 + 112 + 32];

/** A 64-bit program of 1024 bytes, followed by a signature of 16. */
function program({ kind = 0x20b, signatureAt = 1024 } = {}): Buffer {
  const file = Buffer.alloc(1024 + 16, "code");
  file.write("MZ", 0);
  file.writeUInt32LE(headerAt, 0x3c);
  file.write("PE\0\0", headerAt, "latin1");
  file.writeUInt16LE(kind, headerAt + 24);
  file.writeUInt32LE(signatureAt, entryAt);
  file.writeUInt32LE(16, entryAt + 4);
  return file;
}

test("only the signature is removed", () => {
  const file = program();
  const unsigned = withoutSignature(file);
  const expected = Buffer.from(file.subarray(0, 1024));
  expected.fill(0, entryAt, entryAt + 8);
  expect(unsigned).toEqual(expected);
  expect(withoutSignature(unsigned)).toBe(unsigned);
});

test("a file without a signature at its end is left alone", () => {
  for (const file of [program({ kind: 0x10b }), program({ signatureAt: 512 }), Buffer.from("\x7fELF")])
    expect(withoutSignature(file)).toBe(file);
});
