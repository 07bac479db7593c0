import type { TestReply, World } from "./world.ts";

export type Json = { [name: string]: unknown };

/** A session with messages, as returned by starting a chat and by writing into one. */
export interface Chat {
  session: Json & { id: string };
  messages: (Json & { id: string; role: string; content: string })[];
}

/** An inline flow with a greeting. */
export const INLINE = { name: "Survey", firstMessage: "Hello {{ contactName }}.", channelMode: "CHAT" };

/** Returns the lines said, without those of tools. */
export function textsOf(messages: Chat["messages"]): string[] {
  return messages.filter(({ role }) => role !== "TOOL").map(({ role, content }) => `${role}: ${content}`);
}

/** Starts chats in a world, writes into them, and reads the results, over HTTP only. */
export class ChatHarness {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  start(body: Json, options: { key?: string; headers?: Record<string, string> } = {}): Promise<TestReply> {
    return this.#world.request("POST", "/outbound/chats", { body, ...options });
  }

  async started(body: Json): Promise<Chat> {
    const reply = await this.start(body);
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body as unknown as Chat;
  }

  post(id: string, content: string, more: Json = {}, headers: Record<string, string> = {}): Promise<TestReply> {
    return this.#world.request("POST", `/chat-sessions/${id}/messages`, { body: { content, ...more }, headers });
  }

  async write(id: string, content: string, more: Json = {}): Promise<Chat> {
    const reply = await this.post(id, content, more);
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body as unknown as Chat;
  }

  async messages(id: string): Promise<Chat["messages"]> {
    const { body } = await this.#world.request("GET", `/chat-sessions/${id}/messages?size=200`);
    return body.content as Chat["messages"];
  }

  async read(id: string): Promise<Json> {
    return (await this.#world.request("GET", `/chat-sessions/${id}`)).body;
  }

  /** Returns the first message, once its delivery has this status. */
  async delivered(id: string, status: string): Promise<Json> {
    const page = await this.#world.until(
      `/chat-sessions/${id}/messages`,
      (body) => (body.content as Json[])[0]?.deliveryStatus === status,
    );
    return (page.content as Json[])[0] as Json;
  }

  /** Hands in what a person wrote by a channel of their own. */
  receive(channel: string, from: string, content: string): Promise<TestReply> {
    return this.#world.request("POST", "/chat-sessions/inbound-messages", { body: { channel, from, content } });
  }

  /** Returns the contacts that a query finds. */
  async contacts(query: Record<string, string>, key = this.#world.sample.apiKey): Promise<(Json & { id: string })[]> {
    const reply = await this.#world.request("GET", `/contacts?${new URLSearchParams(query).toString()}`, { key });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body.content as (Json & { id: string })[];
  }
}
