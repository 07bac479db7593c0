import type { Executor } from "#src/platform/db/database.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { ToolSession } from "./loaded-tool.ts";
import { ResultCache } from "./result-cache.ts";

/** Chats whose answers are kept in memory between their turns; the one that was longest idle goes first. */
const MAX_CHATS = 1_000;

/** The caches of chats, whose turns are runs of their own. Another node asks a tool again: a cache may be empty. */
export class SessionCaches {
  readonly #parts: { db: Executor; box: SecretBox };
  readonly #chats = new Map<string, ResultCache>();

  constructor(parts: { db: Executor; box: SecretBox }) {
    this.#parts = parts;
  }

  /** The cache of a session: its own for a call, the kept one for a chat. */
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
