import { API_PREFIX } from "./calls.ts";
import type { Chat, ChatFilters, ChatSession, CreateChat } from "./chat-types.ts";
import { Pages } from "./pages.ts";
import type { Transport } from "./transport.ts";
import type { RequestOptions } from "./types.ts";

const SESSIONS = `${API_PREFIX}/chat-sessions`;

/** Outbound chats. */
export class Chats {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts one chat. A repeat after a lost answer does not start it twice: an Idempotency-Key is sent. */
  create(chat: CreateChat, options: RequestOptions = {}): Promise<Chat> {
    return this.#post(`${API_PREFIX}/outbound/chats`, chat, options);
  }

  /** Lists chats, newest first. */
  list(filters: ChatFilters = {}, options: RequestOptions = {}): Pages<ChatSession> {
    return new Pages(this.#transport, SESSIONS, filters, options);
  }

  /** One chat as it stands. */
  get(id: string, { signal, timeoutMs }: RequestOptions = {}): Promise<ChatSession> {
    return this.#transport.request({ method: "GET", path: pathOf(id), signal, timeoutMs });
  }

  /** Writes what the person wrote; gives the message with what was answered to it within 20 s. */
  write(id: string, content: string, options: RequestOptions = {}): Promise<Chat> {
    return this.#post(`${pathOf(id)}/messages`, { content }, options);
  }

  /** Ends a chat and fills its outputs. */
  close(id: string, options: RequestOptions = {}): Promise<ChatSession> {
    return this.#post(`${pathOf(id)}/close`, {}, options);
  }

  #post<T>(path: string, json: object, options: RequestOptions): Promise<T> {
    const { signal, timeoutMs, idempotencyKey = crypto.randomUUID() } = options;
    return this.#transport.request({ method: "POST", path, json, idempotencyKey, signal, timeoutMs });
  }
}

function pathOf(id: string): string {
  return `${SESSIONS}/${encodeURIComponent(id)}`;
}
