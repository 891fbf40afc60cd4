/** File systems that live on another machine: locks and fsync on them promise less than they say. */
const networkTypes = new Set([
  "9p",
  "afs",
  "ceph",
  "cifs",
  "davfs",
  "fuse.davfs2",
  "fuse.glusterfs",
  "fuse.rclone",
  "fuse.s3fs",
  "fuse.sshfs",
  "gfs2",
  "glusterfs",
  "gpfs",
  "lustre",
  "ncpfs",
  "nfs",
  "nfs4",
  "ocfs2",
  "smb3",
  "smbfs",
]);

/**
 * The type of the network file system that the folder is on, or undefined where it is on none.
 * @param mounts the text of `/proc/mounts`
 */
export function networkMountOf(folder: string, mounts: string): string | undefined {
  let longest = "";
  let type = "";
  for (const line of mounts.split("\n")) {
    const [, escaped = "", kind = ""] = line.split(" ");
    const point = unescape(escaped);
    // A later mount covers an earlier one at the same place.
    if (!holds(point, folder) || point.length < longest.length) continue;
    longest = point;
    type = kind;
  }
  return networkTypes.has(type) ? type : undefined;
}

function holds(point: string, folder: string): boolean {
  return point === "/" || folder === point || folder.startsWith(`${point}/`);
}

/** The kernel writes a blank as `\040`. */
function unescape(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
