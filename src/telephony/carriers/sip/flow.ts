/** Transports for SIP. */
export type SipTransportName = "UDP" | "TCP" | "TLS";

/** An address and a port. */
export interface Place {
  address: string;
  port: number;
}

/** Next destination of a request. */
export interface Hop extends Place {
  transport: SipTransportName;
  /** The name that was looked up: a certificate must be issued to it. */
  host: string;
}

/**
 * A path to one far end: a connection, or for UDP an address. Its methods never throw; a broken flow is reported to the
 * owner of the transports.
 */
export interface Flow {
  /** The same for the same path. */
  readonly key: string;
  readonly transport: SipTransportName;
  readonly remote: Place;
  /** Address and port for our Via and Contact. */
  readonly local: Place;
  /** False once the connection has ended; UDP has none. */
  readonly isOpen?: boolean;
  /** The hop that we connected to; null for a connection that the far end made. */
  readonly hop?: Hop | null;
  send(bytes: Buffer): void;
  /** Ends the connection. */
  close?(): void;
  /** Returns the flow to the same address at another port, for UDP. */
  toPort?(port: number): Flow;
}

/** True when sent data arrives, or the flow is reported as broken. */
export function isReliable(flow: Flow): boolean {
  return flow.transport !== "UDP";
}
