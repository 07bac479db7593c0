import { toVonageNumber } from "./vonage-api.ts";

/** Settings of the connection from a call to our socket. */
export interface SocketOrder {
  socketUrl: string;
  /** E.164, our number of the call. */
  from: string;
  /** URL for Vonage's reports of the socket, which Vonage treats as a separate call. */
  eventsUrl: string;
  /** Sent in the first message; all together at most 512 bytes. */
  headers: Record<string, string>;
}

/** Returns the action that connects a call to our socket. Phones have 8 kHz: a higher rate would only be resampled. */
export function connectSocket({ socketUrl, from, eventsUrl, headers }: SocketOrder): object {
  return {
    action: "connect",
    from: toVonageNumber(from),
    eventUrl: [eventsUrl],
    eventMethod: "POST",
    endpoint: [{ type: "websocket", uri: socketUrl, "content-type": "audio/l16;rate=8000", headers }],
  };
}
