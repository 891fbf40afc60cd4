import { expect, test } from "vitest";
import { containerIdIn, readContainerId, readMachineId } from "../../src/host/process/machine-id.ts";

const answering = (stdout: string, exit = 0) => {
  const asked: string[] = [];
  return {
    asked,
    run: async ({ command, args }: { readonly command: string; readonly args: readonly string[] }) => {
      asked.push([command, ...args].join(" "));
      return { exit, stdout: new TextEncoder().encode(stdout) };
    },
  };
};

test("a Mac is identified by its hardware's UUID, and Windows by its MachineGuid", async () => {
  const mac = answering(
    '    "IOPlatformSerialNumber" = "X"\n    "IOPlatformUUID" = "11AA22BB-0000-4000-8000-123456789ABC"\n',
  );
  expect(await readMachineId("darwin", mac.run)).toBe("11AA22BB-0000-4000-8000-123456789ABC");
  expect(mac.asked).toEqual(["/usr/sbin/ioreg -rd1 -c IOPlatformExpertDevice"]);
  const windows = answering(
    "\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography\r\n    MachineGuid    REG_SZ    aa-bb-1\r\n",
  );
  expect(await readMachineId("win32", windows.run)).toBe("aa-bb-1");
});

test("a machine has no id when its program fails, says something else, or can't be run", async () => {
  for (const platform of ["darwin", "win32"]) {
    expect(await readMachineId(platform, answering("no such key", 1).run)).toBeUndefined();
    expect(await readMachineId(platform, answering("something else").run)).toBeUndefined();
    expect(await readMachineId(platform, () => Promise.reject(new Error("ENOENT")))).toBeUndefined();
  }
});

test("Linux has its id in a file or not at all, and no program is run", async () => {
  const none = answering("never");
  expect((await readMachineId("linux", none.run)) ?? "0".repeat(32)).toMatch(/^[0-9a-f]{32}$/);
  expect(none.asked).toEqual([]);
});

const mount = (root: string, point: string) => `612 590 8:1 ${root} ${point} rw,relatime - ext4 /dev/sda1 rw\n`;

test("a container is identified only by the id in its own mounts or control group", async () => {
  const [one, other] = ["1a".repeat(32), "2b".repeat(32)];
  const docker = mount(`/var/lib/docker/containers/${one}/hostname`, "/etc/hostname");
  expect(containerIdIn(docker, "0::/\n")).toBe(one);
  expect(containerIdIn(mount(`/volumes/${other}`, "/data") + docker, `1:pids:/docker/${other}\n`)).toBe(one);
  expect(containerIdIn("", `1:pids:/kubepods/pod/cri-containerd-${one}.scope\n`)).toBe(one);
  expect(containerIdIn(mount("/", "/etc/hosts"), "0::/user.slice\n")).toBeUndefined();
  expect(containerIdIn("", `0::/${"1a".repeat(33)}\n`)).toBeUndefined();
  for (const platform of ["darwin", "win32"]) expect(await readContainerId(platform)).toBeUndefined();
});
