import type { MessageChannel } from "#src/telephony/carriers/messages.ts";
import { CARRIER_PROVIDERS } from "#src/telephony/carriers/registry.ts";

/**
 * Returns the UTF-16 units that a provider takes in one message with such characters; infinite for the sandbox and for
 * chats that no carrier brings.
 */
export function limitText(provider: string, channel: string, text: string): number {
  const carrier = CARRIER_PROVIDERS.find(({ name }) => name === provider.toUpperCase());
  return carrier?.textLimit?.(channel as MessageChannel, text) ?? Number.POSITIVE_INFINITY;
}
