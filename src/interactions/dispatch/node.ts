import type pg from "pg";
import type { Database } from "#src/platform/db/database.ts";
import { begin } from "#src/platform/db/named-statements.ts";
import { Elapsed } from "#src/platform/kernel/elapsed.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { KeyRing } from "#src/platform/kernel/key-ring.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { FarNode, NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import type { Installation } from "./installation.ts";
import {
  CARRY_CALLS,
  CARRY_REST,
  EXTEND,
  FENCE_FORMER,
  FIND_LOSS,
  FIND_STAND_INS,
  FIND_TWIN,
  FORGET_NODES,
  JOIN,
  STORE_KEYS,
} from "./lease-sql.ts";

/** Time after its last heartbeat until other nodes take over a node's calls. */
export const LEASE_SECONDS = 10;
const BEAT_MS = 2_500;
/** Timeout of a heartbeat. A slower one counts as failed, whatever its result. */
const BEAT_TIMEOUT_MS = 4_000;
/** Time before the end of the lease during which nothing is dialled, so that a dial begun earlier is over by then. */
const MARGIN_MS = 3_000;
/** Number of unconfirmed beats with ids of their own: each was tried and its answer lost. Later ones repeat the last. */
const MAX_TRIED = 20;

/** Reasons for losing the lease. */
type Loss = "EXPIRED" | "FENCED" | "TWIN" | "FORGOTTEN";

const LOSSES: Record<Loss, string> = {
  EXPIRED: "This process did not write its heartbeat in time (paused, or the database was away), so its lease ran out.",
  FENCED: "Another process started with the node-id file of this one and ended its lease: DATA_DIR was copied.",
  TWIN: "Another process writes the heartbeat of this one: the machine was copied while it ran.",
  FORGOTTEN: "This process slept so long that its lease is forgotten.",
};

/** Part of the process that depends on the lease. */
export interface Leaseholder {
  /** Returns the ids of the rows whose calls run here. */
  heldRows(): string[];
  /** Called when the process continues as another node. The calls it held are over, except for the carried rows. */
  onRejoined(carried: ReadonlySet<string>): void;
}

/** Facts of a node that other nodes, and an upgrade, read. */
export interface NodeDescription {
  /** Version of Parley. */
  version: string;
  /** The secrets that it knows. */
  keys: KeyRing;
}

/**
 * This process as a leaseholder. There is one heartbeat row per node: one per call deadlocked with FINISH and cost an
 * update for each live call (measured). At start the node fences its own previous incarnation, so recovery after kill
 * -9 does not wait for the lease to run out. An expired lease is never revived: the process continues under a new id,
 * with the calls that nobody has taken over.
 */
export class Node implements NodeIdentity {
  readonly #database: Database;
  readonly #installation: Installation;
  readonly #log: Log;
  readonly #address: string | null;
  readonly #description: NodeDescription | null;
  #id = uuidv7();
  #tried: string[] = [];
  #confirmed: Elapsed | null = null;
  #loss: Loss | null = null;
  #beating: Promise<void> = Promise.resolve();
  #isBeating = false;
  #isAlone = false;
  #isDraining = false;
  #timer: NodeJS.Timeout | undefined;
  #holder: Leaseholder = { heldRows: () => [], onRejoined: () => undefined };

  /** `address` is the one at which other nodes connect to this node; null when they need not. */
  constructor(
    database: Database,
    installation: Installation,
    log: Log,
    address: string | null = null,
    description: NodeDescription | null = null,
  ) {
    this.#database = database;
    this.#installation = installation;
    this.#log = log;
    this.#address = address;
    this.#description = description;
  }

  /** The id of this incarnation. */
  get id(): string {
    return this.#id;
  }

  get isAlone(): boolean {
    return this.#isAlone;
  }

  /** Sets the holder that is notified when the lease is lost. */
  serve(holder: Leaseholder): void {
    this.#holder = holder;
  }

  /**
   * True while no other node can have taken over this one's calls, by the clocks of this machine. They do not notice
   * every pause, so anything that leaves must also pass a statement that asks the database.
   */
  get holdsLease(): boolean {
    return this.#loss === null && this.#confirmed !== null && this.#confirmed.ms < LEASE_SECONDS * 1_000 - MARGIN_MS;
  }

  /** Message that explains why this process dials nothing; null while its lease stands. */
  get trouble(): string | null {
    if (this.holdsLease) return null;
    return this.#loss ? LOSSES[this.#loss] : "The heartbeat of this process could not be written for some seconds.";
  }

  /** Returns the id once no change of it is in progress. */
  async settledId(): Promise<string> {
    await this.#beating;
    return this.#id;
  }

  /** Registers the node, fences its previous incarnation, and starts the heartbeat. */
  async join(): Promise<void> {
    const { pool } = this.#database;
    // Before the fence: a former process that still runs finds by its row that it is fenced.
    await pool.query(FORGET_NODES);
    await pool.query(FENCE_FORMER, [this.#installation.id, this.#installation.place, this.#id]);
    const twins = await pool.query(FIND_TWIN, [this.#installation.id, this.#id]);
    if (twins.rowCount) this.#leaveTwin("The node-id file of this DATA_DIR is also that of a process elsewhere.");
    await this.#enter(pool);
    this.#timer = setInterval(() => this.#beatOnce(), BEAT_MS);
  }

  /** Tells the other nodes that this one takes no new calls; its lease stays. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.#database.pool.query("update nodes set is_draining = true where id = $1", [await this.settledId()]);
  }

  /** Stores which secrets this node knows, and which it seals with. */
  async storeKeys({ ids, currentId }: KeyRing): Promise<void> {
    await this.#database.pool.query(STORE_KEYS, [await this.settledId(), ids, currentId]);
  }

  /** Returns other nodes that take new calls. */
  async findStandIns(): Promise<FarNode[]> {
    return (await this.#database.pool.query<FarNode>(FIND_STAND_INS, [this.#id])).rows;
  }

  /** Stops the heartbeat and gives up every lease at once. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    await this.#database.pool.query("update nodes set alive_until = '-infinity' where id = $1", [this.#id]);
  }

  #beatOnce(): void {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.#beating = this.#beat()
      .catch((error: unknown) => {
        this.#log.warn("The heartbeat could not be written.", { error: toError(error).message });
      })
      .finally(() => (this.#isBeating = false));
  }

  async #beat(): Promise<void> {
    if (this.#loss) return this.#rejoin();
    const since = new Elapsed();
    const ours = this.#tried;
    // None is forgotten: the confirmed one, which a long outage leaves in place, would be taken for another process's.
    const [repeated] = ours.slice(MAX_TRIED);
    const beat = repeated ?? uuidv7();
    if (repeated === undefined) this.#tried = [...ours, beat];
    const values = [this.#id, LEASE_SECONDS, beat, ours];
    const statement = { text: EXTEND, values, query_timeout: BEAT_TIMEOUT_MS };
    const extended = await this.#database.pool.query<{ is_alone: boolean }>(statement);
    const [lease] = extended.rows;
    if (lease) {
      this.#isAlone = lease.is_alone;
      this.#tried = [beat];
      this.#confirmed = since;
      return;
    }
    this.#loss = "EXPIRED";
    await this.#rejoin();
  }

  /** Continues as another node. Throws when that could not be stored; the next beat tries again. */
  async #rejoin(): Promise<void> {
    const former = this.#id;
    const client = await this.#database.pool.connect();
    try {
      await begin(client);
      const found = await client.query<{ why: Loss }>(FIND_LOSS, [former, this.#tried]);
      this.#loss = found.rows[0]?.why ?? "FORGOTTEN";
      this.#log.error(`${LOSSES[this.#loss]} Calls that others took over end here; it goes on under a new id.`, {
        nodeId: former,
      });
      if (this.#loss === "FENCED" || this.#loss === "TWIN") this.#installation.renew();
      const id = uuidv7();
      const entered = await this.#insert(client, id);
      const carried = this.#loss === "EXPIRED" ? await this.#carry(client, former, id) : new Set<string>();
      await client.query("commit");
      this.#take(entered);
      this.#log.info("This process goes on as another node.", {
        nodeId: id,
        formerNodeId: former,
        calls: carried.size,
      });
      this.#holder.onRejoined(carried);
      client.release();
    } catch (error) {
      client.release(toError(error));
      throw error;
    }
  }

  /** Moves the calls that nobody has taken over to the new lease, so that conversations outlive a database outage. */
  async #carry(client: pg.PoolClient, former: string, id: string): Promise<Set<string>> {
    const calls = await client.query<{ id: string }>(CARRY_CALLS, [former, id, this.#holder.heldRows()]);
    for (const text of CARRY_REST) await client.query(text, [former, id]);
    await client.query("update nodes set alive_until = '-infinity' where id = $1", [former]);
    return new Set(calls.rows.map((row) => row.id));
  }

  #leaveTwin(what: string): void {
    this.#installation.renew();
    this.#log.warn(
      `${what} DATA_DIR was copied, or this machine started again within ${LEASE_SECONDS} s. It has a new id now.`,
    );
  }

  async #enter(client: Pick<pg.Pool, "query">): Promise<void> {
    this.#take(await this.#insert(client, this.#id));
  }

  async #insert(client: Pick<pg.Pool, "query">, id: string): Promise<Entered> {
    const since = new Elapsed();
    const beat = uuidv7();
    const { id: name, place } = this.#installation;
    const { version = null, keys = null } = this.#description ?? {};
    const described = [version, keys?.ids ?? null, keys?.currentId ?? null];
    await client.query(JOIN, [id, name, LEASE_SECONDS, this.#address, place, beat, this.#isDraining, ...described]);
    return { id, beat, since };
  }

  #take({ id, beat, since }: Entered): void {
    this.#id = id;
    this.#tried = [beat];
    this.#confirmed = since;
    this.#loss = null;
  }
}

/** A newly entered lease. */
interface Entered {
  id: string;
  beat: string;
  since: Elapsed;
}
