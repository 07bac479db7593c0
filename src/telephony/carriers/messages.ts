/** Channels over which carriers deliver messages. */
export type MessageChannel = "SMS" | "WHATSAPP";

/** A WhatsApp template that the provider has approved. */
export interface MessageTemplate {
  name: string;
  language: string;
  variables: Record<string, string>;
}

/** One message on its way to a person. */
export interface OutgoingMessage {
  workspaceId: string;
  /** Our id, committed before this is sent. A provider that supports it accepts one message per id. */
  messageId: string;
  channel: MessageChannel;
  /** E.164. */
  from: string;
  /** E.164. */
  to: string;
  text: string;
  template: MessageTemplate | null;
  /** 1 for the first time it is sent. */
  attempt: number;
  /** Called right before the first byte; throws when the message must not be sent any more. Absent: no check. */
  assertMayLeave?: () => void;
}

/**
 * Result of a send. REFUSED proves that nothing was sent; UNCERTAIN proves nothing and is looked up. `optedOut`: the
 * provider refuses because the person sent it STOP, which must be recorded in the do-not-call ledger.
 */
export type SendResult =
  | { kind: "ACCEPTED"; providerMessageId: string }
  | { kind: "REFUSED"; code: string; message: string; retryable: boolean; optedOut?: boolean }
  | { kind: "UNCERTAIN"; code: string; message: string };

/** Delivery state of a message, as its provider reports it. */
export type DeliveryState = "SENT" | "DELIVERED" | "READ" | "FAILED";

/** Result of a look-up of a message. */
export type MessageLookUp =
  | {
      kind: "FOUND";
      providerMessageId: string;
      status: DeliveryState;
      error: { code: string; message: string } | null;
      /** No further reports will come. */
      isFinal: boolean;
    }
  | { kind: "ABSENT" }
  | { kind: "UNCERTAIN"; message: string };

/** A message to look up. */
export interface AskedMessage {
  workspaceId: string;
  messageId: string;
  /** Null: its provider's answer was lost, or it was never sent. */
  providerMessageId: string | null;
  channel: MessageChannel;
  from: string;
  to: string;
  text: string;
  /** Time of the last send; null: not known to have been sent. */
  sentAt: Date | null;
}

/** A message that a person sent to one of our numbers, as a provider brings it. */
export interface InboundMessage {
  channel: MessageChannel;
  /** Name of the provider that sends the answers. */
  provider: string;
  /** The provider's id; a repeat of it is the same message. */
  providerMessageId: string;
  /** E.164, the person's. */
  from: string;
  /** E.164, ours. */
  to: string;
  text: string;
}

/** A provider's report of a message that we sent; it may come twice, late, out of order or never. */
export interface DeliveryReport {
  /** Our id, where the provider returns it. */
  messageId: string | null;
  providerMessageId: string;
  status: DeliveryState;
  error: { code: string; message: string } | null;
  /** The message failed because the person sent the provider STOP, which must be recorded in the do-not-call ledger. */
  optedOut?: boolean;
}

/** Delivers messages to people; uses no tables. */
export interface Messenger {
  readonly name: string;
  /**
   * Milliseconds after a send during which a look-up may still be wrong; after that an uncertain message is given up
   * and never repeated.
   */
  readonly horizonMs: number;
  /** A look-up that finds nothing proves that nothing was sent. */
  readonly absenceIsProof: boolean;
  /** True only for the sandbox: a contact that never wrote counts as one that wrote within WhatsApp's 24 hours. */
  readonly assumesOpenWindow: boolean;
  /** True for the sandbox: it must be asked for reports. Other providers send them and are asked for lost ones. */
  readonly isPolled?: boolean;
  /** Never throws: an unknown result is UNCERTAIN. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendResult>;
  /** Never throws. */
  lookUp(message: AskedMessage, signal: AbortSignal): Promise<MessageLookUp>;
}
