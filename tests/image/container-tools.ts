import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A reason why this machine cannot build or run images; nothing is known of the image then. */
export class Unavailable extends Error {}

/** End of a program, and its output. */
export interface Ended {
  code: number;
  stdout: string;
  output: string;
}

/** Arguments of podman, and of its command run, with which a machine starts containers. */
interface Way {
  podman: string[];
  run: string[];
}

/** The usual way first, then those of machines that are containers themselves. */
const WAYS: Way[] = [
  { podman: [], run: [] },
  { podman: ["--cgroup-manager=cgroupfs"], run: ["--cgroups=disabled"] },
  { podman: ["--cgroup-manager=cgroupfs", "--runtime=runc"], run: ["--cgroups=no-conmon"] },
];
/** Lower than podman's own, which a machine without CAP_SYS_RESOURCE cannot grant. */
const LIMITS = ["--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096"];
const LONGEST_OUTPUT = 64 * 1024 ** 2;

/** Runs a program to its end; one that is missing ends with 127. */
export function run(file: string, args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(file, args, { maxBuffer: LONGEST_OUTPUT }, (error, stdout, stderr) => {
      if (error?.code === "ENOENT") resolve({ code: 127, stdout: "", output: error.message });
      else resolve({ code: child.exitCode ?? 1, stdout, output: `${stdout}${stderr}` });
    });
  });
}

/** Runs a program to its end and returns its standard output. Rejects with all that it printed when it fails. */
export async function runOrThrow(file: string, args: string[]): Promise<string> {
  const { code, stdout, output } = await run(file, args);
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${code}:\n${output.trim().slice(-4_000)}`);
  return stdout;
}

/** Buildah and podman on a store of their own: the machine's other images and containers are not touched. */
export class ContainerTools {
  readonly #folder: string;
  readonly #store: string[];
  #way: Way = { podman: [], run: [] };

  private constructor(folder: string) {
    this.#folder = folder;
    // The driver that works on every file system, also inside a container.
    this.#store = ["--storage-driver=vfs", `--root=${join(folder, "images")}`, `--runroot=${join(folder, "run")}`];
  }

  /** Opens a store below `folder`. Rejects with `Unavailable` when a program is missing. */
  static async open(folder: string): Promise<ContainerTools> {
    for (const name of ["buildah", "podman"]) {
      const { code, output } = await run(name, ["--version"]);
      if (code !== 0) throw new Unavailable(output.trim());
    }
    return new ContainerTools(folder);
  }

  /** Builds `image` from the files of `context` by the text of a Dockerfile, with build arguments. */
  async build(image: string, context: string, dockerfile: string, args: Record<string, string> = {}): Promise<void> {
    const file = join(this.#folder, "Dockerfile");
    writeFileSync(file, dockerfile);
    const given = Object.entries(args).map(([name, value]) => `--build-arg=${name}=${value}`);
    const options = ["--isolation=chroot", "--format=docker", `--file=${file}`, `--tag=${image}`, ...given];
    await runOrThrow("buildah", [...this.#store, "bud", ...options, context]);
  }

  /** Finds how this machine starts a container of `image`, and returns that. Rejects with `Unavailable` otherwise. */
  async findWay(image: string): Promise<string> {
    const reasons: string[] = [];
    for (const way of WAYS) {
      this.#way = way;
      const { code, output } = await this.podman("run", "--rm", ...this.runOptions, image, "--version");
      if (code === 0) return ["podman", ...way.podman, "run", ...way.run].join(" ");
      reasons.push(output.trim());
    }
    throw new Unavailable(`podman starts no container here:\n${reasons.join("\n")}`);
  }

  /** Options of every container: on the machine's network, where its database listens. */
  get runOptions(): string[] {
    return [...this.#way.run, ...LIMITS, "--network=host"];
  }

  /** Runs a podman command on the store. */
  podman(...args: string[]): Promise<Ended> {
    return run("podman", [...this.#store, ...this.#way.podman, ...args]);
  }

  /** Runs a podman command and returns its standard output; rejects when it fails. */
  podmanOrThrow(...args: string[]): Promise<string> {
    return runOrThrow("podman", [...this.#store, ...this.#way.podman, ...args]);
  }
}
