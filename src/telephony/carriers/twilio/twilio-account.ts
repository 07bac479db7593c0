import { type AccountKeys, type AccountParts, webhookUrl } from "#src/telephony/carriers/account.ts";
import { TwilioApi } from "./twilio-api.ts";
import { type CallLinks, linksOf } from "./twilio-links.ts";
import { writeStream } from "./twilio-markup.ts";
import { createTwilioSocket } from "./twilio-socket.ts";

/** The news that a call ended may overtake the last message of its socket, which tells more of it. */
const LINGER_MS = 5_000;

/** What the parts of one opened account share. */
export interface TwilioAccount {
  keys: AccountKeys;
  parts: AccountParts;
  api: TwilioApi;
  links: CallLinks;
  /** Where Twilio reports of this account. */
  hook: (path: string) => string;
  /** Expects the audio of a call, and gives the markup that makes Twilio bring it; `path` is where the call reports. */
  stream: (attemptId: string, path: string, onStarted: (providerCallId: string) => void) => string;
  /** Lets go of the audio of a call that has ended, in a moment. */
  endSoon: (attemptId: string) => void;
}

/** Opens what the parts of an account share. */
export function openTwilioAccount(keys: AccountKeys, parts: AccountParts): TwilioAccount {
  const links = linksOf(parts.media);
  const hook = (path: string) => webhookUrl(parts.publicUrl, "TWILIO", keys.id, path);
  return {
    keys,
    parts,
    api: new TwilioApi(keys, parts.fetch),
    links,
    hook,
    stream(attemptId, path, onStarted) {
      const url = parts.media.expect(attemptId, createTwilioSocket, ({ callId }) => onStarted(callId));
      return writeStream(url, hook(`${path}/stream`));
    },
    endSoon(attemptId) {
      setTimeout(() => parts.media.close(attemptId), LINGER_MS).unref();
    },
  };
}
