/** Where the fields stand: the address of the new header, and from there on. */
const newHeaderAt = 0x3c;
const windowsMagic = "PE\0\0";
const optionalHeader = 24;
const kind64 = 0x20b;
const certificateEntry = optionalHeader + 112 + 4 * 8;

/**
 * A Windows program without the signature of its makers, which stands at its end: they signed Node, and a changed
 * program with their name on it is what a virus looks like. A file of another kind, or without one, is given back as it
 * is.
 */
export function withoutSignature(file: Buffer): Buffer {
  if (file.toString("latin1", 0, 2) !== "MZ") return file;
  const header = file.readUInt32LE(newHeaderAt);
  const isProgram = file.toString("latin1", header, header + windowsMagic.length) === windowsMagic;
  if (!isProgram || file.readUInt16LE(header + optionalHeader) !== kind64) return file;
  const [offset, bytes] = [
    file.readUInt32LE(header + certificateEntry),
    file.readUInt32LE(header + certificateEntry + 4),
  ];
  if (bytes === 0 || offset + bytes !== file.length) return file;
  const unsigned = Buffer.from(file.subarray(0, offset));
  unsigned.fill(0, header + certificateEntry, header + certificateEntry + 8);
  return unsigned;
}
