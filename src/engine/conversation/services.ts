import type { Citation } from "./plan.ts";

/** A service that could not do what was asked; the message is told to the model. */
export class ServiceError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message.slice(0, 500));
    this.name = "ServiceError";
    this.code = code;
  }
}

/** A passage of the knowledge base that answers a question. */
export interface KnowledgePassage extends Citation {
  text: string;
}

/**
 * What the system tools do outside the conversation, each for this session's own contact and nobody else. Each rejects
 * with a `ServiceError` where it cannot; `callId` makes a repeated call do nothing twice. The texts given are told to
 * the model.
 */
export interface SessionServices {
  /** Sends a text message to the contact. */
  sendMessage(message: { channel: "SMS" | "WHATSAPP"; text: string }, callId: string): Promise<string>;
  /** Has the contact called again at an ISO 8601 time, with or without an offset; without, it is the contact's own. */
  scheduleCallback(callback: { at: string; note: string }, callId: string): Promise<string>;
  /** Passages that answer a question, best first. */
  searchKnowledge(query: string): Promise<KnowledgePassage[]>;
  /** The contact's own records in a granted data store, as JSON text. */
  readRecord(wanted: { storeKey: string; recordId: string | null }): Promise<string>;
  /** Writes fields of a record of the contact's in a granted data store. */
  writeRecord(
    record: { storeKey: string; recordId: string | null; fields: Record<string, unknown> },
    callId: string,
  ): Promise<string>;
}
