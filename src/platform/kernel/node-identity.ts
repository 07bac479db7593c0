/**
 * Identity of this process in leases. The id changes when the process lost its lease, so read it at the time of use.
 */
export interface NodeIdentity {
  readonly id: string;
  /**
   * True while no other node is alive, as of the last heartbeat: then nobody else adds work, and this process may look
   * for it less often. Absent: unknown.
   */
  readonly isAlone?: boolean;
}
