/** This process as the leases know it. The id changes when the process lost its lease: read it when it is needed. */
export interface NodeIdentity {
  readonly id: string;
}
