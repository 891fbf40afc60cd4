/** Where the fields stand in a 64-bit, little-endian ELF file. */
const fileField = { sectionsAt: 0x28, sectionSize: 0x3a, sectionCount: 0x3c, namesIndex: 0x3e } as const;
const sectionField = { type: 0x04, flags: 0x08, offset: 0x18, size: 0x20 } as const;
const elfMagic = 0x7f454c46;
const typeWithoutBytes = 8;
const flagLoaded = 2n;
const alignmentBytes = 8;

/**
 * A Linux binary without what only a debugger reads, symbols and line numbers: a fifth of Node's. That stands behind
 * all that is loaded; the file is cut there, and the list of its sections written anew. A file of another kind is given
 * back as it is.
 */
export function stripBinary(file: Buffer): Buffer {
  if (file.readUInt32BE(0) !== elfMagic) return file;
  const sections = sectionsOf(file);
  const kept = sections.slice(0, sections.findLastIndex(isLoaded) + 1);
  const names = sections[file.readUInt16LE(fileField.namesIndex)];
  if (names === undefined) return file;
  const body = file.subarray(0, Math.max(...kept.map(endOf)));
  const nameBytes = file.subarray(offsetOf(names), endOf(names));
  const padding = Buffer.alloc(-(body.length + nameBytes.length) & (alignmentBytes - 1));
  const newNames = Buffer.from(names);
  newNames.writeBigUInt64LE(BigInt(body.length), sectionField.offset);
  const stripped = Buffer.concat([body, nameBytes, padding, ...kept, newNames]);
  stripped.writeBigUInt64LE(BigInt(body.length + nameBytes.length + padding.length), fileField.sectionsAt);
  stripped.writeUInt16LE(kept.length + 1, fileField.sectionCount);
  stripped.writeUInt16LE(kept.length, fileField.namesIndex);
  return stripped;
}

function sectionsOf(file: Buffer): Buffer[] {
  const start = Number(file.readBigUInt64LE(fileField.sectionsAt));
  const size = file.readUInt16LE(fileField.sectionSize);
  const count = file.readUInt16LE(fileField.sectionCount);
  return Array.from({ length: count }, (_, index) => file.subarray(start + index * size, start + (index + 1) * size));
}

function isLoaded(section: Buffer): boolean {
  return (section.readBigUInt64LE(sectionField.flags) & flagLoaded) !== 0n;
}

function offsetOf(section: Buffer): number {
  return Number(section.readBigUInt64LE(sectionField.offset));
}

function endOf(section: Buffer): number {
  const hasBytes = section.readUInt32LE(sectionField.type) !== typeWithoutBytes;
  return offsetOf(section) + (hasBytes ? Number(section.readBigUInt64LE(sectionField.size)) : 0);
}
