import type { Executor } from "#src/platform/db/database.ts";
import { sha256 } from "#src/platform/kernel/id.ts";
import { openOrNull, type SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { SealedColumn } from "#src/platform/secrets/sealed-column.ts";
import type { LoadedTool, ToolSession } from "./loaded-tool.ts";
import type { Outcome } from "./outcome.ts";
import { deleteResults, findResult, type ResultKey, storeResult } from "./result-sql.ts";
import { toCanonicalJson } from "./values.ts";

const DEFAULT_TTL_SECONDS = 300;
const DEFAULT_MAX_ENTRIES = 1_000;
/** Answers that one session keeps in memory, for all its tools together. */
const MAX_SESSION_ENTRIES = 1_000;
/** Longest answer that is kept; a longer one is requested again. */
const MAX_RESULT_CHARACTERS = 262_144;

type Kept = Exclude<Outcome, { kind: "TRANSFER" }>;

/** Cache of tools' answers for repeated calls (toolResultCacheConfig), as one session uses it. */
export class ResultCache {
  readonly #db: Executor;
  readonly #box: SecretBox;
  readonly #session: ToolSession;
  readonly #own = new Map<string, { text: string; expiresAtMs: number; toolId: string }>();

  constructor({ db, box }: { db: Executor; box: SecretBox }, session: ToolSession) {
    this.#db = db;
    this.#box = box;
    this.#session = session;
  }

  /** Returns the answer kept for these parameters; null when there is none. */
  async find(tool: LoadedTool, parameters: Record<string, unknown>): Promise<Kept | null> {
    const place = this.#placeOf(tool, parameters);
    if (place === null) return null;
    if (place.scope === "SESSION") return this.#findOwn(place.ownKey);
    const sealed = await findResult(this.#db, this.#session.workspaceId, place);
    if (sealed === null) return null;
    const text = openOrNull(this.#box, sealed, this.#sealPlace(place));
    // Sealed with a former key: treated as not kept.
    return text === null ? null : (JSON.parse(text) as Kept);
  }

  /** Keeps an answer according to the tool's settings. */
  async keep(tool: LoadedTool, parameters: Record<string, unknown>, outcome: Outcome): Promise<void> {
    const { ttlSeconds, maxEntries, cacheErrors } = tool.definition.toolResultCacheConfig ?? {};
    if (outcome.kind === "TRANSFER" || (outcome.kind === "FAILED" && !cacheErrors)) return;
    const place = this.#placeOf(tool, parameters);
    const text = JSON.stringify(outcome);
    if (place === null || text.length > MAX_RESULT_CHARACTERS) return;
    const limits = { ttlSeconds: ttlSeconds ?? DEFAULT_TTL_SECONDS, maxEntries: maxEntries ?? DEFAULT_MAX_ENTRIES };
    if (place.scope === "SESSION") return this.#keepOwn(place, text, limits);
    const result = this.#box.seal(text, this.#sealPlace(place));
    await storeResult(this.#db, this.#session.workspaceId, place, { result, ...limits });
  }

  #findOwn(ownKey: string): Kept | null {
    const entry = this.#own.get(ownKey);
    if (!entry || entry.expiresAtMs <= Date.now()) return null;
    return JSON.parse(entry.text) as Kept;
  }

  #keepOwn(place: Place, text: string, { ttlSeconds, maxEntries }: { ttlSeconds: number; maxEntries: number }): void {
    const { ownKey, toolId } = place;
    this.#own.delete(ownKey);
    this.#own.set(ownKey, { text, toolId, expiresAtMs: Date.now() + ttlSeconds * 1_000 });
    const ofTool = [...this.#own].filter(([, entry]) => entry.toolId === toolId).map(([key]) => key);
    for (const key of ofTool.slice(0, Math.max(0, ofTool.length - maxEntries))) this.#own.delete(key);
    const [oldest] = this.#own.keys();
    if (this.#own.size > MAX_SESSION_ENTRIES && oldest !== undefined) this.#own.delete(oldest);
  }

  /**
   * Returns the place of an answer; null for a tool that keeps none. Without a known contact, answers stay in the
   * session.
   */
  #placeOf(tool: LoadedTool, parameters: Record<string, unknown>): Place | null {
    const { enabled, scope, keyParameters } = tool.definition.toolResultCacheConfig ?? {};
    if (!enabled) return null;
    const names = keyParameters ?? Object.keys(parameters);
    const counted = Object.fromEntries(names.map((name) => [name, parameters[name]]));
    const key = sha256(toCanonicalJson({ version: tool.version, parameters: counted }));
    const toolId = tool.grant.id;
    const ownKey = `${toolId} ${key.toString("hex")}`;
    if (scope === "WORKSPACE") return { scope, toolId, owner: Buffer.alloc(0), key, ownKey };
    const { workspaceId, contactKey } = this.#session;
    if (scope === "CONTACT" && contactKey !== null) {
      return { scope, toolId, owner: toOwner(workspaceId, contactKey), key, ownKey };
    }
    return { scope: "SESSION", toolId, owner: Buffer.alloc(0), key, ownKey };
  }

  #sealPlace({ toolId, owner, key }: ResultKey): string {
    return sealPlace(this.#session.workspaceId, toolId, owner.toString("hex"), key.toString("hex"));
  }
}

/** Kept answers, as they are stored. */
export const SEALED_RESULTS: SealedColumn = {
  what: "kept answers of tools",
  table: "tool_results",
  key: { workspace_id: "uuid", tool_id: "uuid", owner: "bytea", key: "bytea" },
  read: "result",
  write: (parameter) => `result = ${parameter}`,
  place: ({ workspace_id: workspaceId = "", tool_id: toolId = "", owner = "", key = "" }) =>
    // The text of a bytea is \x and the digits.
    sealPlace(workspaceId, toolId, owner.slice(2), key.slice(2)),
};

function sealPlace(workspaceId: string, toolId: string, owner: string, key: string): string {
  return [workspaceId, "tool_results", toolId, owner, key].join("|");
}

interface Place extends ResultKey {
  scope: "SESSION" | "CONTACT" | "WORKSPACE";
  ownKey: string;
}

/** Deletes every answer that was kept for one contact. */
export function forgetContactResults(tx: Executor, workspaceId: string, contactKey: string): Promise<void> {
  return deleteResults(tx, workspaceId, toOwner(workspaceId, contactKey));
}

function toOwner(workspaceId: string, contactKey: string): Buffer {
  return sha256(`${workspaceId}|${contactKey}`);
}
