import { expect, test } from "vitest";
import { networkMountOf } from "../../src/doctor/network-mount.ts";

const mounts = [
  "/dev/sda1 / ext4 rw,relatime 0 0",
  "proc /proc proc rw 0 0",
  "server:/home /home nfs4 rw,vers=4.2 0 0",
  "/dev/sdb1 /home/ada/disk ext4 rw 0 0",
  "//nas/share /mnt/the\\040books cifs rw 0 0",
  "server:/old /srv nfs rw 0 0",
  "/dev/sdc1 /srv xfs rw 0 0",
  "ada@host:/ /mnt/ssh fuse.sshfs rw 0 0",
].join("\n");

test.each<[folder: string, type: string | undefined]>([
  ["/var/lib/partner", undefined],
  ["/home/ada/.local/state/partner", "nfs4"],
  ["/home", "nfs4"],
  ["/homestead/partner", undefined],
  ["/home/ada/disk/partner", undefined],
  ["/mnt/the books/partner", "cifs"],
  ["/srv/partner", undefined],
  ["/mnt/ssh/partner", "fuse.sshfs"],
])("%s is on %s", (folder, type) => {
  expect(networkMountOf(folder, mounts)).toBe(type);
});

test("where nothing is known of mounts, no folder is on a network", () => {
  expect(networkMountOf("/home/ada", "")).toBeUndefined();
});
