/** Channels that a messenger carries. */
export type MessageChannel = "SMS" | "WHATSAPP";

/** How fast the sandbox delivers: 1 is real time, "instant" does not wait. */
export type SandboxSpeed = number | "instant";

/** A WhatsApp template that the provider has approved. */
export interface MessageTemplate {
  name: string;
  language: string;
  variables: Record<string, string>;
}

/** One message on its way to a person. */
export interface OutgoingMessage {
  workspaceId: string;
  /** Ours, committed before this leaves; the provider takes a message once by it. */
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
  sandboxSpeed: SandboxSpeed;
}

/** The answer to a send. REFUSED proves that nothing left; UNCERTAIN proves nothing and is looked up. */
export type SendResult =
  | { kind: "ACCEPTED"; providerMessageId: string }
  | { kind: "REFUSED"; code: string; message: string; retryable: boolean }
  | { kind: "UNCERTAIN"; code: string; message: string };

/** What a look-up by message id tells. */
export type MessageLookUp =
  | {
      kind: "FOUND";
      providerMessageId: string;
      status: "SENT" | "DELIVERED" | "READ" | "FAILED";
      error: { code: string; message: string } | null;
      /** Nothing more will be reported of it. */
      isFinal: boolean;
    }
  | { kind: "ABSENT" }
  | { kind: "UNCERTAIN"; message: string };

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

/** Carries messages to people. It knows no table; states are asked for by message id. */
export interface Messenger {
  readonly name: string;
  /** How long after a send a look-up may still be wrong; past it an uncertain message is given up, never repeated. */
  readonly horizonMs: number;
  /** A contact that never wrote counts as one that did within WhatsApp's 24 hours: true of the sandbox alone. */
  readonly assumesOpenWindow: boolean;
  /** Never throws: what cannot be known is UNCERTAIN. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendResult>;
  /** Never throws. */
  lookUp(workspaceId: string, messageId: string, signal: AbortSignal): Promise<MessageLookUp>;
}

/** Who carries messages to a contact; undefined when nobody is configured to. */
export type FindMessenger = (isSimulated: boolean, channel: MessageChannel) => Messenger | undefined;
