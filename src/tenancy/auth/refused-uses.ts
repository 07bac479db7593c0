import type { Executor } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { recordAudit } from "#src/tenancy/audit/audit.ts";

/** A request whose credential exists, but has expired or may not be used from the client's address. */
export interface RefusedUse {
  workspaceId: string;
  credentialId: string;
  reason: "EXPIRED" | "ADDRESS";
  address: string;
}

const QUIET_MS = 3_600_000;
/** The most credentials that are remembered as audited. */
const MAX_KEPT = 10_000;

/**
 * Writes refused uses of credentials to the audit log: the first of each credential and reason in an hour, so that a
 * program that goes on with an expired key fills no log.
 */
export class RefusedUses {
  readonly #db: Executor;
  readonly #onFault: (thrown: unknown) => void;
  readonly #noted = new Map<string, number>();

  constructor(db: Executor, onFault: (thrown: unknown) => void) {
    this.#db = db;
    this.#onFault = onFault;
  }

  /** Writes an entry unless the last one is recent. The request does not wait for it. */
  note({ workspaceId, credentialId, reason, address }: RefusedUse): void {
    const key = `${credentialId}|${reason}`;
    const now = nowMs();
    if (now - (this.#noted.get(key) ?? -Infinity) < QUIET_MS) return;
    if (this.#noted.size >= MAX_KEPT) this.#noted.clear();
    this.#noted.set(key, now);
    const actor = { kind: "SYSTEM", userId: null, name: "credentials", address, requestId: null } as const;
    const event = {
      workspaceId,
      actor,
      action: "credential.refused",
      target: credentialId,
      details: { reason },
    } as const;
    recordAudit(this.#db, event).catch(this.#onFault);
  }
}
