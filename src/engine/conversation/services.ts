import type { Citation } from "./plan.ts";

/** Failure of a service; the message goes to the model. */
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
  /** Higher is better; comparable within one search only. */
  score?: number;
}

/**
 * Implementations of the system tools outside the conversation, each for this session's own contact only. Each rejects
 * with a `ServiceError` on failure. The returned texts go to the model.
 */
export interface SessionServices {
  /** Sends a text message to the contact. */
  sendMessage(message: { channel: "SMS" | "WHATSAPP"; text: string }): Promise<string>;
  /** Schedules another call to the contact at an ISO 8601 time; without an offset it is the contact's local time. */
  scheduleCallback(callback: { at: string; note: string }): Promise<string>;
  /** Returns passages that answer a question, best first. */
  searchKnowledge(query: string): Promise<KnowledgePassage[]>;
  /** Returns the contact's own records in a granted data store, as JSON text. */
  readRecord(wanted: { storeKey: string; recordId: string | null }): Promise<string>;
  /** Writes fields of a record of the contact in a granted data store. */
  writeRecord(record: { storeKey: string; recordId: string | null; fields: Record<string, unknown> }): Promise<string>;
}
