import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { fileSystemOf, networkKindOf } from "../../src/storage/sqlite/network-folder.ts";
import { memoryHost } from "../memory-host.ts";
import { newPlace, openPlace } from "./orders.ts";

const mounts = String.raw`22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:26 / /home rw - nfs4 server:/home rw
31 30 0:27 / /home/a\040b rw shared:7 master:1 - ext4 /dev/vdb rw
32 22 0:28 / /mnt/share rw - fuse.sshfs a@b:/ rw
33 22 0:29 / /over rw - ext4 /dev/vdc rw
34 22 0:30 / /over rw - cifs //server/over rw
`;

test.each([
  ["/var/lib/partner", "ext4"],
  ["/home", "nfs4"],
  ["/home/ann/.local/state/partner", "nfs4"],
  ["/homework", "ext4"],
  ["/home/a b/partner", "ext4"],
  ["/mnt/share/x", "fuse.sshfs"],
  ["/over/x", "cifs"],
])("%s is on %s", (path, kind) => {
  expect(fileSystemOf(path, mounts)).toBe(kind);
});

function hostOn(platform: string, mounted = mounts) {
  const files = nodeFiles();
  const read = (path: string, maxBytes: number) =>
    path === "/proc/self/mountinfo" ? Promise.resolve(Buffer.from(mounted)) : files.read(path, maxBytes);
  return memoryHost({ machine: { platform }, host: { files: { ...files, read } } });
}

test("network folders are recognised by their mount on Linux and by their name on Windows", async () => {
  expect(await networkKindOf(hostOn("linux"), "/home/ann")).toBe("nfs4");
  expect(await networkKindOf(hostOn("linux"), "/var/lib")).toBeUndefined();
  expect(await networkKindOf(hostOn("win32"), String.raw`\\server\share\partner`)).toBe("smb");
  expect(await networkKindOf(hostOn("win32"), String.raw`C:\partner`)).toBeUndefined();
  expect(await networkKindOf(hostOn("darwin"), "/home/ann")).toBeUndefined();
});

const folderOn = (kind: string) => networkKindOf(hostOn("linux", `40 22 0:31 / /data rw - ${kind} x rw\n`), "/data/x");

const networkKinds =
  "nfs nfs3 nfs4 cifs smb smb3 smbfs 9p afs ceph glusterfs lustre beegfs gpfs ocfs2 gfs2 fuse.sshfs fuse.glusterfs " +
  "fuse.rclone fuse.s3fs fuse.davfs fuse.davfs2";

test.each(networkKinds.split(" "))("a folder on %s is a network folder", async (kind) => {
  expect(await folderOn(kind)).toBe(kind);
});

test.each(["ext4", "xfs", "btrfs", "tmpfs", "overlay", "ntfs3", "fuse.ntfs", "fuse", "nfsd", "cephalon", "xnfs"])(
  "a folder on %s is a folder of this machine",
  async (kind) => {
    expect(await folderOn(kind)).toBeUndefined();
  },
);

test("a journal on a network folder opens with a warning", async () => {
  const { stateFolder, configFolder } = newPlace();
  const host = hostOn("linux", `34 22 0:30 / ${stateFolder} rw - nfs4 server:/x rw\n`);
  const journal = await openPlace({ stateFolder, configFolder }, { host });
  expect(journal.warnings).toEqual([expect.stringMatching(/network folder \(nfs4\)/)]);
  await journal.close();
});
