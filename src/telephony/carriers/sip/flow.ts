/** What SIP travels over. */
export type SipTransportName = "UDP" | "TCP" | "TLS";

/** An address and a port. */
export interface Place {
  address: string;
  port: number;
}

/** Where a request goes next. */
export interface Hop extends Place {
  transport: SipTransportName;
  /** The name that was looked up: a certificate must be made out to it. */
  host: string;
}

/**
 * A way to one far end: a connection, or for UDP an address. Nothing here throws; a flow that broke is told to the owner of
 * the transports.
 */
export interface Flow {
  /** The same for the same way. */
  readonly key: string;
  readonly transport: SipTransportName;
  readonly remote: Place;
  /** What our Via and Contact name. */
  readonly local: Place;
  send(bytes: Buffer): void;
  /** The same address at another port, for UDP. */
  toPort?(port: number): Flow;
}

/** Whether what is sent arrives, or the flow is told to be broken. */
export function isReliable(flow: Flow): boolean {
  return flow.transport !== "UDP";
}
