import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asUser, findUser, type Machines, nameUser, openMachines } from "./machines.ts";
import { commandOf, Program, type ProgramName, signalTree } from "./programs.ts";
import { type Member, MEMBERS, readSettings, type Settings, writeFiles } from "./render.ts";

const START_MS = 120_000;
const POLL_MS = 200;

/** A machine's programs. */
type Programs = Record<ProgramName, Program>;

/** The part of Patroni's answer to GET /cluster that is read here. */
interface ClusterView {
  members: { name: string; role: string; state: string; lag?: number | string }[];
}

/** The whole installation on this machine: three machines' programs from the same templates, as an ordinary user. */
export class LocalCluster implements AsyncDisposable {
  readonly machines: Machines;
  readonly settings: Settings;
  readonly #folder: string;
  readonly #programs: Record<Member, Programs>;

  private constructor(machines: Machines, settings: Settings, folder: string) {
    this.machines = machines;
    this.settings = settings;
    this.#folder = folder;
    const of = (member: Member) => this.#prepare(member);
    this.#programs = { 1: of(1), 2: of(2), 3: of(3) };
  }

  /** Starts everything and waits until there are a primary and two replicas. */
  static async start(): Promise<LocalCluster> {
    const machines = openMachines();
    const folder = mkdtempSync(join(tmpdir(), "parley-ha-"));
    chmodSync(folder, 0o755);
    const cluster = new LocalCluster(machines, localSettings(machines), folder);
    try {
      for (const name of ["etcd", "patroni", "haproxy", "pgbouncer", "kamailio"] as const)
        for (const member of MEMBERS) cluster.#programs[member][name].start();
      await cluster.untilHealthy(START_MS);
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  #prepare(member: Member): Programs {
    const folder = join(this.#folder, String(member));
    mkdirSync(folder);
    const settings: Settings = {
      ...this.settings,
      HA_CONFIG: folder,
      HA_ETCD_DATA: join(folder, "etcd"),
      HA_POSTGRES_DATA: join(folder, "data"),
      HA_LOCAL: this.machines.local(member),
    };
    mkdirSync(settings.HA_ETCD_DATA as string, { mode: 0o700 });
    mkdirSync(settings.HA_POSTGRES_DATA as string, { mode: 0o700 });
    writeFiles(settings, member, folder);
    const user = findUser();
    if (user) for (const path of [folder, ...listPaths(folder)]) chownSync(path, user.uid, user.gid);
    const program = (name: ProgramName) =>
      new Program(
        [...this.machines.enter(member), ...asUser(), ...commandOf(name, folder)],
        join(folder, `${name}.log`),
      );
    return {
      etcd: program("etcd"),
      patroni: program("patroni"),
      haproxy: program("haproxy"),
      pgbouncer: program("pgbouncer"),
      kamailio: program("kamailio"),
    };
  }

  /** The database for the node on a machine: through its PgBouncer and HAProxy. */
  databaseUrl(member: Member): string {
    return `postgres://parley:${this.settings.HA_DATABASE_PASSWORD}@${this.machines.local(member)}:6432/parley`;
  }

  /** The API through a machine's HAProxy. */
  apiUrl(member: Member): string {
    return `http://${this.machines.publicAddress(member)}:${this.settings.HA_API_PORT}`;
  }

  /** Returns the machine with the primary, without one that is left out; null when there is none. */
  async findPrimary(except?: Member): Promise<Member | null> {
    for (const member of MEMBERS) if (member !== except && (await this.#answers(member, "/primary"))) return member;
    return null;
  }

  /** Waits until each machine runs all of its programs, and there are a primary and two replicas, one synchronous. */
  async untilHealthy(timeoutMs: number): Promise<void> {
    for (const deadline = performance.now() + timeoutMs; performance.now() < deadline;) {
      if (await this.#isHealthy()) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const logs = MEMBERS.flatMap((member) =>
      (["etcd", "patroni"] as const).map((name) => `${name} ${member}:\n${this.#programs[member][name].log}`),
    );
    throw new Error(`The cluster did not get healthy.\n${logs.join("\n")}`);
  }

  async #isHealthy(): Promise<boolean> {
    const primary = await this.findPrimary();
    if (primary === null) return false;
    const reply = await this.#ask(primary, "/cluster");
    const { members } = ((await reply?.json().catch(() => undefined)) as ClusterView | undefined) ?? { members: [] };
    const areUp = members.length === MEMBERS.length && members.every(({ state }) => /running|streaming/.test(state));
    if (!areUp || !members.some(({ role }) => role === "sync_standby")) return false;
    const replicas = await Promise.all(MEMBERS.map((member) => this.#answers(member, "/replica?lag=1MB")));
    return replicas.filter(Boolean).length === MEMBERS.length - 1;
  }

  async #answers(member: Member, path: string): Promise<boolean> {
    return (await this.#ask(member, path))?.status === 200;
  }

  #ask(member: Member, path: string): Promise<Response | undefined> {
    const url = `http://${this.machines.address(member)}:8008${path}`;
    return fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  }

  /** Sends a signal to PostgreSQL and Patroni of a machine at once. */
  strike(member: Member, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
    const postmaster = this.#postmasterPid(member);
    const patroni = this.#programs[member].patroni.pid;
    for (const pid of [patroni, postmaster]) if (pid !== null) signalTree(pid, signal);
  }

  #postmasterPid(member: Member): number | null {
    try {
      return Number(readFileSync(join(this.#folder, `${member}/data/15/postmaster.pid`), "utf8").split("\n")[0]);
    } catch {
      return null;
    }
  }

  /** Starts the programs of a machine that do not run, as its service manager does. */
  repair(member: Member): void {
    for (const program of Object.values(this.#programs[member])) program.start();
  }

  /** Ends everything and removes its files. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const member of MEMBERS) {
      this.strike(member, "SIGCONT");
      const { etcd: _, patroni: __, ...others } = this.#programs[member];
      await Promise.all(Object.values(others).map((program) => program.end("SIGTERM")));
    }
    // Patroni leaves PostgreSQL running when it is killed, and a primary without followers waits for its clients.
    for (const member of MEMBERS) {
      this.strike(member, "SIGKILL");
      await this.#programs[member].patroni.end("SIGKILL");
      await this.#programs[member].etcd.end("SIGKILL");
    }
    this.machines[Symbol.dispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function localSettings(machines: Machines): Settings {
  const secret = () => randomBytes(24).toString("hex");
  const { user, group } = nameUser();
  const addresses = MEMBERS.flatMap((member) => [
    [`HA_ADDRESS_${member}`, machines.address(member)],
    [`HA_PUBLIC_${member}`, machines.publicAddress(member)],
  ]);
  return {
    ...readSettings(""),
    ...Object.fromEntries(addresses),
    HA_TRUNK: `${machines.outside}:5060`,
    HA_HAPROXY_USER: user,
    HA_HAPROXY_GROUP: group,
    HA_SHARED_BUFFERS: "64MB",
    HA_SUPERUSER_PASSWORD: secret(),
    HA_REPLICATION_PASSWORD: secret(),
    HA_REST_PASSWORD: secret(),
    HA_DATABASE_PASSWORD: secret(),
  };
}

function listPaths(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
