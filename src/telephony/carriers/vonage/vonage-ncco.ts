import { toVonageNumber } from "./vonage-api.ts";

/** What connects a call to our socket. */
export interface SocketOrder {
  socketUrl: string;
  /** E.164, our number of the call. */
  from: string;
  /** Where Vonage reports of the socket, which is a call of its own to it. */
  eventsUrl: string;
  /** Told in the first message; all together at most 512 bytes. */
  headers: Record<string, string>;
}

/** The action that connects a call to our socket. 8 kHz is what phones have: more would only be resampled. */
export function connectSocket({ socketUrl, from, eventsUrl, headers }: SocketOrder): object {
  return {
    action: "connect",
    from: toVonageNumber(from),
    eventUrl: [eventsUrl],
    eventMethod: "POST",
    endpoint: [{ type: "websocket", uri: socketUrl, "content-type": "audio/l16;rate=8000", headers }],
  };
}
