import { createHash } from "node:crypto";
import type { ArchiveFile } from "./archive.ts";
import { ar, gzip, tar } from "./archive.ts";

/** What a Debian package is made of. */
export interface DebianPackage {
  readonly version: string;
  /** Debian's name for the machine: `amd64`. */
  readonly architecture: string;
  readonly description: string;
  readonly moment: Date;
  readonly executable: Buffer;
  /** Manual and completions, below `share`. */
  readonly share: readonly ArchiveFile[];
  readonly copyright: string;
  readonly changelog: string;
  readonly sbom: string;
}

const maintainer = "The authors of partner <partner@example.org>";

/** What Node's own binaries are linked against; each is part of the smallest installation. */
const dependencies = "libatomic1 (>= 4.8), libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 5)";

const kibibyte = 1024;

/** The bytes of a `.deb`, made without Debian's tools: the same on every machine for the same contents. */
export function debianPackage(wanted: DebianPackage): Buffer {
  const files = filesOf(wanted);
  const control: ArchiveFile[] = [
    { path: "control", content: Buffer.from(controlOf(wanted, files)) },
    { path: "md5sums", content: Buffer.from(files.map(({ path, content }) => `${md5(content)}  ${path}\n`).join("")) },
  ];
  const members = [
    { path: "debian-binary", content: Buffer.from("2.0\n") },
    { path: "control.tar.gz", content: gzip(tar(control, wanted.moment)) },
    { path: "data.tar.gz", content: gzip(tar(files, wanted.moment)) },
  ];
  return ar(members, wanted.moment);
}

function filesOf({ executable, share, copyright, changelog, sbom, version, moment }: DebianPackage): ArchiveFile[] {
  const documents = "usr/share/doc/partner";
  return [
    { path: "usr/bin/partner", content: executable, executable: true },
    ...share.map((file) => ({ ...file, path: `usr/${file.path}` })),
    { path: `${documents}/copyright`, content: Buffer.from(copyright) },
    compressed(`${documents}/changelog`, debianChangelog(version, moment)),
    compressed(`${documents}/NEWS.md`, changelog),
    compressed(`${documents}/sbom.cdx.json`, sbom),
    { path: "usr/share/lintian/overrides/partner", content: Buffer.from(overrides) },
  ];
}

function compressed(path: string, text: string): ArchiveFile {
  return { path: `${path}.gz`, content: gzip(Buffer.from(text)) };
}

const overrides = `# Node is linked so by its makers, and brings its libraries along.
partner: embedded-library *
partner: hardening-no-pie *
# Its licences are given whole, as they came.
partner: copyright-file-contains-full-apache-2-license
partner: copyright-not-using-common-license-for-gpl
partner: old-fsf-address-in-copyright-file
`;

function controlOf({ version, architecture, description }: DebianPackage, files: readonly ArchiveFile[]): string {
  const bytes = files.reduce((sum, { content }) => sum + Math.ceil(content.length / kibibyte) * kibibyte, 0);
  const [summary = "", details = ""] = description.split(": ");
  return `Package: partner
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(bytes / kibibyte)}
Depends: ${dependencies}
Section: utils
Priority: optional
Description: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}
 ${details.charAt(0).toUpperCase()}${details.slice(1)}
 One executable: no other runtime has to be installed.
`;
}

/** Debian wants one of its own form; what changed stands in NEWS.md. */
function debianChangelog(version: string, moment: Date): string {
  const date = moment.toUTCString().replace(",", ", ").replace(/ {2,}/, " ").replace("GMT", "+0000");
  return `partner (${version}) stable; urgency=medium\n\n  * What changed stands in NEWS.md.\n\n -- ${maintainer}  ${date}\n`;
}

function md5(content: Buffer): string {
  return createHash("md5").update(content).digest("hex");
}
