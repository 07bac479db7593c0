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

/**
 * Header with the node that a forwarded request or connection is meant for. A node forwards nothing that has it, so
 * nothing is forwarded twice.
 */
export const NODE_HEADER = "x-parley-node";

/** Another live node. */
export interface FarNode {
  id: string;
  /** Address at which other nodes connect to it. */
  address: string;
}
