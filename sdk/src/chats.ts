import { ChatsOperations } from "./generated/chats.ts";
import type { RequestOptions } from "./resource.ts";
import { type ChatEvent, readChatEvents } from "./server-sent-events.ts";

/** Options for following a chat. */
export interface FollowOptions extends RequestOptions {
  /** Id of the last event that was received; the first event of the chat follows when left out. */
  lastEventId?: string;
}

/** Chats over CHAT, SMS and WhatsApp. */
export class Chats extends ChatsOperations {
  /**
   * Gives the events of a chat as they happen, until it is over: messages, states, and typing while the agent answers.
   * A connection that breaks is opened again after the last event.
   */
  events(id: string, { lastEventId, ...options }: FollowOptions = {}): AsyncGenerator<ChatEvent, void, undefined> {
    const open = (after: string | undefined) =>
      this.eventStream(
        id,
        {},
        { ...options, headers: { ...options.headers, ...(after !== undefined && { "Last-Event-ID": after }) } },
      );
    return readChatEvents(this.transport.clock, open, lastEventId, options.signal);
  }
}
