import type { Executor } from "#src/platform/db/database.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { ToolSession } from "./loaded-tool.ts";
import { ResultCache } from "./result-cache.ts";

/** Chats whose answers are kept in memory between their turns; the longest idle one is dropped first. */
const MAX_CHATS = 1_000;

/** Caches of chats, whose turns are separate runs. Another node calls a tool again, since its cache may be empty. */
export class SessionCaches {
  readonly #parts: { db: Executor; box: SecretBox };
  readonly #chats = new Map<string, ResultCache>();

  constructor(parts: { db: Executor; box: SecretBox }) {
    this.#parts = parts;
  }

  /** Returns the cache of a session: a new one for a call, the kept one for a chat. */
  of(session: ToolSession): ResultCache {
    if (session.channel === "VOICE") return new ResultCache(this.#parts, session);
    const key = `${session.workspaceId}|${session.sessionId}`;
    const cache = this.#chats.get(key) ?? new ResultCache(this.#parts, session);
    this.#chats.delete(key);
    this.#chats.set(key, cache);
    const [oldest] = this.#chats.keys();
    if (this.#chats.size > MAX_CHATS && oldest !== undefined) this.#chats.delete(oldest);
    return cache;
  }
}
