/**
 * Identity of this process in leases. The id changes when the process lost its lease, so read it at the time of use.
 */
export interface NodeIdentity {
  readonly id: string;
}
