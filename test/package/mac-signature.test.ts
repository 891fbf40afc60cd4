import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { signForMac } from "../../scripts/package/mac-signature.ts";

const [commandsAt, segmentBytes, sectionBytes] = [32, 72, 80];

/**
 * A program of two segments: three pages and a bit, the code in the first. `room` is the free space after the
 * commands.
 */
function program({ room = 64, signed = false } = {}): Buffer {
  const textCommand = segment("__TEXT", 0, 8192, 1);
  const lastCommand = segment("__LINKEDIT", 8192, 4100, 0);
  const commands = [textCommand, lastCommand, ...(signed ? [word(0x1d, 16, 0, 0)] : [])];
  const head = Buffer.alloc(commandsAt);
  const bytes = commands.reduce((sum, { length }) => sum + length, 0);
  word(0xfeedfacf, 0x0100000c, 0, 2, commands.length, bytes).copy(head);
  // The start of the first section's bytes.
  textCommand.writeUInt32LE(commandsAt + bytes + room, segmentBytes + 48);
  const front = Buffer.concat([head, ...commands]);
  return Buffer.concat([front, Buffer.alloc(8192 + 4100 - front.length, "code")]);
}

function segment(name: string, offset: number, bytes: number, sections: number): Buffer {
  const command = Buffer.alloc(segmentBytes + sections * sectionBytes);
  word(0x19, command.length).copy(command);
  command.write(name, 8);
  command.writeBigUInt64LE(BigInt(offset), 40);
  command.writeBigUInt64LE(BigInt(bytes), 48);
  command.writeUInt32LE(sections, 64);
  return command;
}

function word(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32LE(value, 4 * index));
  return bytes;
}

/** Reads a signature as the system does, starting from the program's last command. */
function readSignature(file: Buffer) {
  const at = commandsAt + file.readUInt32LE(20) - 16;
  const [command, , offset, bytes] = Array.from({ length: 4 }, (_, index) => file.readUInt32LE(at + 4 * index));
  const blob = file.subarray(offset, (offset ?? 0) + (bytes ?? 0));
  const directory = blob.subarray(blob.readUInt32BE(16));
  const big = (index: number) => directory.readUInt32BE(4 * index);
  const [hashesAt, nameAt, pages, limit] = [big(4), big(5), big(7), big(8)];
  const expected = Array.from({ length: pages }, (_, page) =>
    createHash("sha256")
      .update(file.subarray(page * 4096, Math.min((page + 1) * 4096, limit)))
      .digest("hex"),
  );
  return {
    command,
    magic: [blob.readUInt32BE(0), directory.readUInt32BE(0)],
    lengths: [
      blob.readUInt32BE(4) === blob.length,
      big(1) === directory.length,
      (offset ?? 0) + blob.length === file.length,
    ],
    flags: big(3),
    name: directory.toString("latin1", nameAt, directory.indexOf(0, nameAt)),
    covers: limit === offset,
    hashes: expected.map(
      (hash, page) => hash === directory.toString("hex", hashesAt + 32 * page, hashesAt + 32 * (page + 1)),
    ),
  };
}

test("each page of a signed program has its hash, the changed headers included, and no signer is named", () => {
  const signed = signForMac(program(), "partner");
  expect(readSignature(signed)).toEqual({
    command: 0x1d,
    magic: [0xfade0cc0, 0xfade0c02],
    lengths: [true, true, true],
    flags: 0x20002,
    name: "partner",
    covers: true,
    hashes: [true, true, true, true],
  });
  expect(signed.readUInt32LE(16)).toBe(3);
});

test("the last segment extends to the end of the signature", () => {
  const signed = signForMac(program(), "partner");
  const at = commandsAt + segmentBytes + sectionBytes;
  expect(Number(signed.readBigUInt64LE(at + 40) + signed.readBigUInt64LE(at + 48))).toBe(signed.length);
  expect(Number(signed.readBigUInt64LE(at + 32)) % 0x4000).toBe(0);
});

test("a program with a signature, or without room for one, is refused; one of another system is left alone", () => {
  expect(() => signForMac(program({ signed: true }), "partner")).toThrow("cannot be signed");
  expect(() => signForMac(program({ room: 8 }), "partner")).toThrow("cannot be signed");
  const other = Buffer.from("MZ, and what follows");
  expect(signForMac(other, "partner")).toBe(other);
});
