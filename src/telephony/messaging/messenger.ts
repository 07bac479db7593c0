import type { MessageChannel, Messenger } from "#src/telephony/carriers/messages.ts";

export type {
  AskedMessage,
  DeliveryReport,
  DeliveryState,
  InboundMessage,
  MessageChannel,
  MessageLookUp,
  MessageTemplate,
  Messenger,
  OutgoingMessage,
  SendResult,
} from "#src/telephony/carriers/messages.ts";

/** Whom a message goes to, and from which of the workspace's numbers. */
export interface MessageRoute {
  workspaceId: string;
  isSimulated: boolean;
  channel: MessageChannel;
  /** Id of our number; null where the workspace has none for this chat. */
  phoneNumberId: string | null;
}

/** Who carries messages to a contact; undefined when nobody is configured to. */
export type FindMessenger = (route: MessageRoute) => Promise<Messenger | undefined>;
