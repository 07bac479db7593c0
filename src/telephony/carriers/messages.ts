/** Channels that carriers bring messages over. */
export type MessageChannel = "SMS" | "WHATSAPP";

/** How fast the sandbox delivers: 1 is real time, "instant" does not wait. */
export type MessageSpeed = number | "instant";

/** A WhatsApp template that the provider has approved. */
export interface MessageTemplate {
  name: string;
  language: string;
  variables: Record<string, string>;
}

/** One message on its way to a person. */
export interface OutgoingMessage {
  workspaceId: string;
  /** Ours, committed before this leaves; a provider that can takes a message once by it. */
  messageId: string;
  channel: MessageChannel;
  /** E.164. */
  from: string;
  /** E.164. */
  to: string;
  text: string;
  template: MessageTemplate | null;
  /** The first message of its chat. */
  opens: boolean;
  /** 1 for the first time it is sent. */
  attempt: number;
  sandboxSpeed: MessageSpeed;
  /** Throws when the message must not leave any more; asked right before its first byte. Absent: nothing forbids it. */
  assertMayLeave?: () => void;
}

/**
 * The answer to a send. REFUSED proves that nothing left; UNCERTAIN proves nothing and is looked up. `optedOut`: the
 * provider refuses because the person told it STOP, which the do-not-call ledger must learn.
 */
export type SendResult =
  | { kind: "ACCEPTED"; providerMessageId: string }
  | { kind: "REFUSED"; code: string; message: string; retryable: boolean; optedOut?: boolean }
  | { kind: "UNCERTAIN"; code: string; message: string };

/** How far a message has come, by its provider. */
export type DeliveryState = "SENT" | "DELIVERED" | "READ" | "FAILED";

/** What a look-up of a message tells. */
export type MessageLookUp =
  | {
      kind: "FOUND";
      providerMessageId: string;
      status: DeliveryState;
      error: { code: string; message: string } | null;
      /** Nothing more will be reported of it. */
      isFinal: boolean;
    }
  | { kind: "ABSENT" }
  | { kind: "UNCERTAIN"; message: string };

/** A message that is asked about. */
export interface AskedMessage {
  workspaceId: string;
  messageId: string;
  /** Null: its provider's answer was lost, or it was never sent. */
  providerMessageId: string | null;
  channel: MessageChannel;
  from: string;
  to: string;
  text: string;
  /** When it was last sent; null: nobody knows that it was. */
  sentAt: Date | null;
}

/** A message that a person sent to one of our numbers, as a provider brings it. */
export interface InboundMessage {
  channel: MessageChannel;
  /** Who carries the answers. */
  provider: string;
  /** The provider's id; a repeat of it is the same message. */
  providerMessageId: string;
  /** E.164, the person's. */
  from: string;
  /** E.164, ours. */
  to: string;
  text: string;
}

/** What a provider reports of a message that we sent; it may come twice, late, out of order or never. */
export interface DeliveryReport {
  /** Ours, where the provider returns it. */
  messageId: string | null;
  providerMessageId: string;
  status: DeliveryState;
  error: { code: string; message: string } | null;
  /** It failed because the person told the provider STOP, which the do-not-call ledger must learn. */
  optedOut?: boolean;
}

/** Carries messages to people. It knows no table. */
export interface Messenger {
  readonly name: string;
  /** How long after a send a look-up may still be wrong; past it an uncertain message is given up, never repeated. */
  readonly horizonMs: number;
  /** A look-up that finds nothing proves that nothing was sent. */
  readonly absenceIsProof: boolean;
  /** A contact that never wrote counts as one that did within WhatsApp's 24 hours: true of the sandbox alone. */
  readonly assumesOpenWindow: boolean;
  /** It tells of a message only when asked: true of the sandbox. Others report, and are asked for what got lost. */
  readonly isPolled?: boolean;
  /** Never throws: what cannot be known is UNCERTAIN. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendResult>;
  /** Never throws. */
  lookUp(message: AskedMessage, signal: AbortSignal): Promise<MessageLookUp>;
}
