import type { Authentication } from "./authentication.ts";
import type { Flow } from "./flow.ts";
import type { SipAgent } from "./sip-agent.ts";
import { SipHeaders, type SipResponse } from "./sip-message.ts";

const MAX_CHALLENGES = 3;

/** A request outside of any call. */
export interface TrunkRequest {
  method: "REGISTER" | "OPTIONS";
  uri: string;
  /** From and To; without a tag. */
  self: string;
  to: string;
  callId: string;
  fromTag: string;
  /** Returns the number of the next request. */
  nextSequence(): number;
  headers: Iterable<[name: string, value: string]>;
}

/** Sends a request outside of any call; returns its final response, or null when none came. */
export function askTrunk(
  agent: SipAgent,
  flow: Flow,
  authentication: Authentication,
  asked: TrunkRequest,
): Promise<SipResponse | null> {
  const { promise, resolve } = Promise.withResolvers<SipResponse | null>();
  let challenges = 0;
  const send = (): void => {
    const headers = new SipHeaders();
    headers.add("Max-Forwards", "70");
    headers.add("From", `${asked.self};tag=${asked.fromTag}`);
    headers.add("To", asked.to);
    headers.add("Call-ID", asked.callId);
    headers.add("CSeq", `${asked.nextSequence()} ${asked.method}`);
    for (const [name, value] of asked.headers) headers.add(name, value);
    const request = { kind: "REQUEST", method: asked.method, uri: asked.uri, headers, body: Buffer.alloc(0) } as const;
    authentication.sign(request);
    agent.send(request, flow, {
      onResponse: (response) => {
        if (response.status < 200) return;
        if (++challenges <= MAX_CHALLENGES && authentication.learn(request, response)) send();
        else resolve(response);
      },
      onFailure: () => resolve(null),
    });
  };
  send();
  return promise;
}
