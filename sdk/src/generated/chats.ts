/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { ChatMessage, ChatMessagePage, ChatReply, ChatSession, ChatSessionPage, ChatsEventStreamQuery, ChatsListQuery, ChatsMessagesQuery, ChatsTakeOverQuery, ExternalOutboundChatRequest, InboundMessage, ListedChatSession, PostMessage } from "./shapes.ts";

/** Operations of the API that the resource chats of the client has. */
export class ChatsOperations extends Resource {
  /**
   * Start one outbound chat.
   * Returns with the opening message; where the model opens, it is waited for up to 20 s. SMS and WHATSAPP deliver it after the reply: deliveryStatus tells how far it got. Needs OUTBOUND_CHATS_TRIGGER.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(body: ExternalOutboundChatRequest, options: RequestOptions = {}): Promise<ChatReply> {
    return this.sendRequest({ method: "POST", path: pathOf`/outbound/chats`, json: body, takesKey: true }, options);
  }

  /**
   * List chat sessions, newest first.
   * Needs OUTBOUND_CHATS_TRIGGER.
   */
  list(query: ChatsListQuery = {}, options: RequestOptions = {}): Pages<ListedChatSession, ChatSessionPage> {
    return this.readPages({ path: pathOf`/chat-sessions`, query }, options);
  }

  /**
   * Read one chat session.
   * Needs OUTBOUND_CHATS_TRIGGER.
   */
  get(id: string, options: RequestOptions = {}): Promise<ChatSession> {
    return this.sendRequest({ method: "GET", path: pathOf`/chat-sessions/${id}` }, options);
  }

  /**
   * List a chat's messages in the order they came.
   * Needs OUTBOUND_CHATS_TRIGGER.
   */
  messages(id: string, query: ChatsMessagesQuery = {}, options: RequestOptions = {}): Pages<ChatMessage, ChatMessagePage> {
    return this.readPages({ path: pathOf`/chat-sessions/${id}/messages`, query }, options);
  }

  /**
   * Write into a chat: what the person wrote, or a human operator.
   * Returns the message and what the agent answered to it, waiting up to 20 s for the answer; a later one is in the list of messages. 409 once the chat is over. Needs OUTBOUND_CHATS_TRIGGER.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  sendMessage(id: string, body: PostMessage, options: RequestOptions = {}): Promise<ChatReply> {
    return this.sendRequest({ method: "POST", path: pathOf`/chat-sessions/${id}/messages`, json: body, takesKey: true }, options);
  }

  /**
   * End a chat and fill its structured outputs.
   * Needs OUTBOUND_CHATS_TRIGGER.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  close(id: string, options: RequestOptions = {}): Promise<ChatSession> {
    return this.sendRequest({ method: "POST", path: pathOf`/chat-sessions/${id}/close`, takesKey: true }, options);
  }

  /**
   * Let a human operator answer instead of the agent.
   * Needs OUTBOUND_CHATS_TRIGGER.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  takeOver(id: string, query: ChatsTakeOverQuery = {}, options: RequestOptions = {}): Promise<ChatSession> {
    return this.sendRequest({ method: "POST", path: pathOf`/chat-sessions/${id}/take-over`, query, takesKey: true }, options);
  }

  /**
   * Let the agent go on.
   * It answers the person's last message unless the operator did. Needs OUTBOUND_CHATS_TRIGGER.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  handBack(id: string, options: RequestOptions = {}): Promise<ChatSession> {
    return this.sendRequest({ method: "POST", path: pathOf`/chat-sessions/${id}/hand-back`, takesKey: true }, options);
  }

  /**
   * Follow a chat as server-sent events.
   * message.created, message.updated (its delivery), session.updated, and typing while the agent answers. Starts with the first event of the chat, or after Last-Event-ID. 204 when the chat is over and there is nothing more to tell. Needs OUTBOUND_CHATS_TRIGGER.
   * Takes Last-Event-ID in the headers of the options.
   */
  eventStream(id: string, query: ChatsEventStreamQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.sendRequest({ method: "GET", path: pathOf`/chat-sessions/${id}/events`, query, answer: "RAW" }, options);
  }

  /**
   * Let a simulated person write an SMS or WhatsApp message (extension, SANDBOX workspaces only).
   * What a provider does when somebody writes to one of your numbers: the open chat of the two numbers goes on, or a new one begins with the number's inbound flow. Returns the message and what was answered, waiting up to 20 s. Needs OUTBOUND_CHATS_TRIGGER.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  receiveMessage(body: InboundMessage, options: RequestOptions = {}): Promise<ChatReply> {
    return this.sendRequest({ method: "POST", path: pathOf`/chat-sessions/inbound-messages`, json: body, takesKey: true }, options);
  }
}
