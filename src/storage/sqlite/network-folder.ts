import type { Host } from "../../host/host.ts";

const mountsPath = "/proc/self/mountinfo";
const mountsMaxBytes = 4 * 1024 * 1024;
/** File systems that other machines share. Their locks and syncs can't always be relied on. */
const networkKinds =
  /^(nfs\d?|cifs|smb\w*|9p|afs|ceph|glusterfs|lustre|beegfs|gpfs|ocfs2|gfs2|fuse\.(sshfs|glusterfs|rclone|s3fs|davfs2?))$/;

/**
 * The kind of file system of a network folder, else undefined. Detected by the mounts on Linux, and by the double
 * backslash on Windows; not on other systems.
 */
export async function networkKindOf(host: Host, folder: string): Promise<string | undefined> {
  if (host.machine.platform === "win32") return /^(\\\\|\/\/)[^.?]/.test(folder) ? "smb" : undefined;
  if (host.machine.platform !== "linux") return undefined;
  try {
    const mounts = new TextDecoder().decode(await host.files.read(mountsPath, mountsMaxBytes));
    const kind = fileSystemOf(folder, mounts);
    return kind !== undefined && networkKinds.test(kind) ? kind : undefined;
  } catch {
    // Without /proc, it can't be detected.
    return undefined;
  }
}

/** The kind of a path's file system: that of the longest mount point above it; of equal ones, the last. */
export function fileSystemOf(path: string, mounts: string): string | undefined {
  let longest = -1;
  let kind: string | undefined;
  for (const line of mounts.split("\n")) {
    const middle = line.indexOf(" - ");
    if (middle === -1) continue;
    const point = unescape(line.slice(0, middle).split(" ")[4] ?? "");
    if (point === "" || point.length < longest || !isBelow(path, point)) continue;
    longest = point.length;
    [kind] = line.slice(middle + 3).split(" ");
  }
  return kind;
}

function isBelow(path: string, point: string): boolean {
  return path === point || path.startsWith(point.endsWith("/") ? point : `${point}/`);
}

/** The kernel writes spaces and backslashes in mount points as octal numbers. */
function unescape(point: string): string {
  return point.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
