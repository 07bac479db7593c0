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

/** Recipient of a message and the number of the workspace that it is sent from. */
export interface MessageRoute {
  workspaceId: string;
  isSimulated: boolean;
  channel: MessageChannel;
  /** Id of our number; null where the workspace has none for this chat. */
  phoneNumberId: string | null;
}

/** Finds the messenger for a contact; undefined when none is configured. */
export type FindMessenger = (route: MessageRoute) => Promise<Messenger | undefined>;
