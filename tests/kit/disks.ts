import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Longest time for which a disk hangs, whatever becomes of the test: a process that waits for it cannot be killed. */
const LONGEST_FREEZE_SECONDS = 90;

/** A real file system of its own, which a test fills, makes read-only, or lets hang. */
export class Disk implements Disposable {
  /** Folder of its mount. */
  readonly folder: string;
  readonly #base: string;

  private constructor(base: string) {
    this.#base = base;
    this.folder = join(base, "disk");
    mkdirSync(this.folder);
    // The embedded database runs as another user.
    chmodSync(base, 0o711);
  }

  /** Mounts a file system in memory of so many MiB. Throws where this user or machine cannot. */
  static inMemory(mib: number): Disk {
    const disk = new Disk(mkdtempSync(join(tmpdir(), "parley-disk-")));
    return disk.#mount("-t", "tmpfs", "-o", `size=${mib}m,mode=0777`, "tmpfs");
  }

  /** Mounts an ext4 in a file, which can hang. Throws where this user or machine cannot. */
  static thatFreezes(mib: number): Disk {
    const disk = new Disk(mkdtempSync(join(tmpdir(), "parley-disk-")));
    const image = join(disk.#base, "image");
    writeFileSync(image, "");
    truncateSync(image, mib * 1024 * 1024);
    run("mkfs.ext4", "-q", "-m", "0", image);
    return disk.#mount("-o", "loop", image);
  }

  #mount(...args: string[]): this {
    try {
      run("mount", ...args, this.folder);
    } catch (error) {
      rmSync(this.#base, { recursive: true, force: true });
      throw error;
    }
    return this;
  }

  /** Takes all the room that is left; returns how to free it again. */
  fill(): () => void {
    const path = join(this.folder, "filler");
    for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 4)) this.#append(path, size);
    return () => rmSync(path, { force: true });
  }

  /** Writes so many bytes again and again until there is no room for them. */
  #append(path: string, bytes: number): void {
    for (;;) {
      try {
        writeFileSync(path, Buffer.alloc(bytes, 1), { flag: "a" });
      } catch {
        return;
      }
    }
  }

  /** Mounts it read-only, or writable again. */
  remount(mode: "ro" | "rw"): void {
    run("mount", "-o", `remount,${mode}`, this.folder);
  }

  /** Covers a folder below with a read-only one, because a disk with open files cannot be remounted; returns its end. */
  cover(name: string): () => void {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    run("mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", folder);
    return () => run("umount", folder);
  }

  /** Lets every write hang; returns how to let them go on. */
  freeze(): () => void {
    run("fsfreeze", "-f", this.folder);
    const rescue = `sleep ${LONGEST_FREEZE_SECONDS}; fsfreeze -u "$0"`;
    spawn("sh", ["-c", rescue, this.folder], { detached: true, stdio: "ignore" }).unref();
    return () => run("fsfreeze", "-u", this.folder);
  }

  [Symbol.dispose](): void {
    // Lazily, because a server that was killed a moment ago may still be leaving it.
    run("umount", "-l", this.folder);
    rmSync(this.#base, { recursive: true, force: true });
  }
}

/** True where this user and machine can mount such a disk. */
export function canMount(make: () => Disk): boolean {
  try {
    make()[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: "pipe", env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } });
}
