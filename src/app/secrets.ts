import { SEALED_CONNECTIONS } from "#src/authoring/connections/secrets.ts";
import { SEALED_MODELS } from "#src/authoring/language-models/language-models.ts";
import { SEALED_MODEL_HEADERS } from "#src/authoring/language-models/model-headers.ts";
import { SEALED_SPEECH_ACCOUNTS } from "#src/authoring/speech-accounts/speech-accounts.ts";
import { SEALED_RESULTS } from "#src/authoring/tool-runs/result-cache.ts";
import { SEALED_TOOLS } from "#src/authoring/tools/sealed-fields.ts";
import { SEALED_JOB_WEBHOOKS } from "#src/interactions/call-jobs/webhook.ts";
import { SEALED_LEAD_SOURCES } from "#src/interactions/lead-sources/lead-sources.ts";
import { FORMER_RECORDING_KEYS, keepRecordingKey, RecordingKeys } from "#src/interactions/recordings/recording-keys.ts";
import { countSealedRecordings } from "#src/interactions/recordings/recordings.ts";
import { SEALED_SUBSCRIPTIONS } from "#src/interactions/webhooks/subscriptions.ts";
import { SEALED_ACCOUNTS } from "#src/numbers/carrier-accounts/account-secrets.ts";
import { SEALED_TRUNKS } from "#src/numbers/phone-numbers/sip-trunk.ts";
import type { Config } from "#src/platform/config/config.ts";
import { findFormerSecret, promoteNextSecret, writeNextSecret } from "#src/platform/config/secret.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import { Repeater } from "#src/platform/kernel/repeater.ts";
import { keyIdOf } from "#src/platform/kernel/secret-box.ts";
import {
  beginRotation,
  continueRotation,
  isKnownToLive,
  readRotation,
  type Rotation,
  readSealing,
} from "#src/platform/secrets/rotation.ts";
import type { SealedColumn } from "#src/platform/secrets/sealed-column.ts";
import { SEALED_ECHOES } from "#src/surfaces/test-endpoints/async-echo.ts";
import { SEALED_PROVIDERS } from "#src/tenancy/sign-on/identity-providers.ts";
import { SEALED_SIGN_OUTS } from "#src/tenancy/sign-on/sign-on.ts";
import { SEALED_TOTP } from "#src/tenancy/users/second-step.ts";
import type { Core } from "./core.ts";
import { StartError } from "./database.ts";

/**
 * All sealed values of the database. Those that are copied to others come before them, so that a pass finds the copies,
 * too. tests/durability/secret-rotation.test.ts compares them with the columns.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_ACCOUNTS,
  SEALED_TRUNKS,
  SEALED_MODELS,
  SEALED_MODEL_HEADERS,
  SEALED_SPEECH_ACCOUNTS,
  ...SEALED_CONNECTIONS,
  ...SEALED_TOOLS,
  SEALED_RESULTS,
  SEALED_SUBSCRIPTIONS,
  ...SEALED_JOB_WEBHOOKS,
  SEALED_LEAD_SOURCES,
  SEALED_ECHOES,
  SEALED_PROVIDERS,
  SEALED_SIGN_OUTS,
  SEALED_TOTP,
  FORMER_RECORDING_KEYS,
];

/** Milliseconds between two looks at the database's secret. */
const LOOK_MS = 2_000;

/** Progress of a rotation, as an operator sees it. */
export interface RotationStatus {
  /** NONE: the secret was never changed. */
  state: "NONE" | "RUNNING" | "DONE";
  startedAt: string | null;
  finishedAt: string | null;
  /** Values sealed anew, by what they are. */
  resealed: Record<string, number>;
  /** Values that neither secret opens, by what they are. */
  unreadable: Record<string, number>;
  /** Sealed recordings from before, whose files stay as they are. */
  formerRecordings: number;
  /** File that has the former secret; null where the settings name the secrets. */
  formerFile: string | null;
  /** True while a live node still opens values with the former secret. */
  formerIsKnown: boolean;
}

/** The secrets of this process, and their change. */
export interface Secrets {
  recordingKeys: RecordingKeys;
  /** Begins a change to the new secret, or goes on with the one in progress. */
  rotate(): Promise<RotationStatus>;
  status(): Promise<RotationStatus>;
  close(): Promise<void>;
}

/**
 * Opens the secrets of a process that joined as a node. From then on it follows the database's choice of the one that
 * seals, and does its share of a rotation. `onHopeless` is called when the database has a secret that it does not know.
 */
export async function openSecrets(config: Config, core: Core, onHopeless: (reason: Error) => void): Promise<Secrets> {
  const keeper = new SecretKeeper(config, core);
  // Another look, after this node can be seen: a rotation that began in between did not ask for it.
  await keeper.follow();
  const repeater = new Repeater(
    LOOK_MS,
    (signal) => keeper.work(signal),
    (error) => {
      if (error instanceof StartError) onHopeless(error);
      else
        core.log.warn("The secret could not be looked after; the next look follows.", {
          error: toError(error).message,
        });
    },
  );
  repeater.start();
  return {
    recordingKeys: keeper.recordingKeys,
    rotate: () => keeper.rotate(),
    status: () => keeper.status(),
    close: () => repeater.stop(),
  };
}

class SecretKeeper {
  readonly recordingKeys: RecordingKeys;
  readonly #config: Config;
  readonly #core: Core;
  #followed: string | null = null;
  /** Id of the key with which the others see this node. */
  #shown: string | null;

  constructor(config: Config, core: Core) {
    this.#config = config;
    this.#core = core;
    this.recordingKeys = new RecordingKeys(core.keys);
    this.#shown = core.keys.currentId;
  }

  /**
   * Seals with the secret that the database names; returns the rotation in progress, or the last one. Throws a StartError
   * when this process does not know that secret.
   */
  async follow(): Promise<Rotation | null> {
    const { keys, databases, node, box } = this.#core;
    const { pool } = databases.requests;
    const { check, rotation } = await readSealing(pool);
    const id = check && keyIdOf(check);
    if (id === null || id === this.#followed) return rotation;
    if (!keys.use(id)) {
      throw new StartError(
        "The installation has a new secret, which this process does not know. Set PARLEY_SECRET to it.",
      );
    }
    await this.recordingKeys.load(pool, box);
    if (id !== this.#shown) await node.storeKeys(keys);
    this.#shown = id;
    this.#followed = id;
    return rotation;
  }

  /** Follows the database, and does what a rotation still has to do until it waits for others. */
  async work(signal: AbortSignal): Promise<void> {
    const rotation = await this.follow();
    const { databases, keys, box } = this.#core;
    if (rotation?.finishedAt === null) {
      const { pool } = databases.housekeeping;
      while (!signal.aborted && (await continueRotation(pool, keys, box, SEALED_COLUMNS)) === "WORKED");
    } else if (rotation && this.#config.secret === undefined && keys.ids.length > 1) await this.#promote(rotation);
  }

  async rotate(): Promise<RotationStatus> {
    const { databases, keys } = this.#core;
    const { pool } = databases.requests;
    const rotation = await readRotation(pool);
    const isRunning = rotation !== null && rotation.finishedAt === null;
    if (!isRunning) {
      const to = this.#config.secret === undefined ? await this.#prepareNext() : this.#findNext(rotation);
      const keep = (former: Buffer, box: Core["box"]) => [keepRecordingKey(former, box)];
      if (to !== null) await beginRotation(pool, keys, to, keep);
      await this.follow();
    }
    return this.status();
  }

  async status(): Promise<RotationStatus> {
    const { pool } = this.#core.databases.requests;
    const rotation = await readRotation(pool);
    if (!rotation) {
      const none = { startedAt: null, finishedAt: null, resealed: {}, unreadable: {} };
      return { state: "NONE", ...none, formerRecordings: 0, formerFile: null, formerIsKnown: false };
    }
    const { startedAt, finishedAt, resealed, unreadable, from } = rotation;
    const isPromoted = this.#config.secret !== undefined || this.#core.keys.ids.length === 1;
    const state = finishedAt !== null && isPromoted ? "DONE" : "RUNNING";
    const formerRecordings = state === "DONE" ? await countSealedRecordings(pool, startedAt) : 0;
    const formerFile = findFormerSecret(this.#config.dataDir, from);
    const formerIsKnown = await isKnownToLive(pool, from);
    return { state, startedAt, finishedAt, resealed, unreadable, formerRecordings, formerFile, formerIsKnown };
  }

  /** Returns the id of PARLEY_SECRET when it is not the one that seals; null when the last rotation was to it. */
  #findNext(last: Rotation | null): string | null {
    const { keys } = this.#core;
    const next = keys.ids[0] as string;
    if (next !== keys.currentId) return next;
    if (last?.to === next) return null;
    throw new AppError(
      "CONFLICT",
      "PARLEY_SECRET is the present secret. Start every node with PARLEY_SECRET, a new one, and PARLEY_SECRET_PREVIOUS, the present one, then run this again.",
    );
  }

  /** Generates the next secret in its file. Nodes with another DATA_DIR could not read it. */
  async #prepareNext(): Promise<string> {
    const { databases, node, keys } = this.#core;
    const id = await node.settledId();
    const others = await databases.requests.pool.query("select 1 from nodes where alive_until > now() and id <> $1", [
      id,
    ]);
    if (others.rowCount) {
      throw new AppError(
        "CONFLICT",
        "The secret is a file in DATA_DIR, and other nodes share this database. Set the content of that file as PARLEY_SECRET_PREVIOUS and a new secret as PARLEY_SECRET on every node, start them again, then run this again. Nothing was changed.",
      );
    }
    const next = keys.add(writeNextSecret(this.#config.dataDir));
    await node.storeKeys(keys);
    return next;
  }

  /** Puts the new secret's file in the place of the former one once nothing is left under that. */
  async #promote({ to }: Rotation): Promise<void> {
    const { keys, node } = this.#core;
    if (to !== keys.currentId) return;
    // The secret of a change that is about to begin stays.
    if (!promoteNextSecret(this.#config.dataDir, to)) return;
    keys.forgetOthers();
    await node.storeKeys(keys);
  }
}
