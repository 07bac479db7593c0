import { type AccountKeys, type AccountParts, webhookUrl } from "#src/telephony/carriers/account.ts";
import { TwilioApi } from "./twilio-api.ts";
import { type CallLinks, linksOf } from "./twilio-links.ts";
import { writeStream } from "./twilio-markup.ts";
import { createTwilioSocket } from "./twilio-socket.ts";

/** The event of a call's end may overtake the last message of its socket, which is more detailed. */
const LINGER_MS = 5_000;

/** Parts that the modules of one opened account share. */
export interface TwilioAccount {
  keys: AccountKeys;
  parts: AccountParts;
  api: TwilioApi;
  links: CallLinks;
  /** Returns the URL for Twilio's reports of this account. */
  hook: (path: string) => string;
  /** Expects the audio of a call; returns the markup that makes Twilio stream it. `path`: the call's report path. */
  stream: (attemptId: string, path: string, onStarted: (providerCallId: string) => void) => string;
  /** Closes the audio of a call that has ended, after a moment. */
  endSoon: (attemptId: string) => void;
}

/** Opens the shared parts of an account. */
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
