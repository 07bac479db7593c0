import type { Executor } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { readNetworks } from "./allowed-addresses.ts";
import { findCredentialDays, setLimits } from "./store.ts";

const DAY_MS = 86_400_000;
/** Room for the clock of who computed "in 30 days" by theirs. */
const SLACK_MS = 300_000;

/** Limits of a credential as somebody asks for them: its end, and the networks from which it may be used. */
export interface LimitsInput {
  /** ISO 8601; instead of `expiresInSeconds`. */
  expiresAt?: string | null;
  expiresInSeconds?: number | null;
  /** Networks such as 203.0.113.0/24; null or absent: all. */
  allowedAddresses?: readonly string[] | null;
}

/** Limits of a credential, checked. */
export interface Limits {
  expiresAt: Date | null;
  allowedAddresses: string[] | null;
}

/**
 * Reads the limits of a new credential. Where the workspace limits lives, one without a time gets the longest that is
 * allowed, and a longer one is a 422.
 */
export async function readLimits(tx: Executor, workspaceId: string, input: LimitsInput): Promise<Limits> {
  const days = await findCredentialDays(tx, workspaceId);
  const latest = days === null ? null : new Date(nowMs() + days * DAY_MS);
  const expiresAt = readExpiry(input);
  if (latest && expiresAt && expiresAt.getTime() > latest.getTime() + SLACK_MS) throw tooLong(days);
  return { expiresAt: expiresAt ?? latest, allowedAddresses: readAllowed(input) };
}

/** Replaces the limits of a credential, effective on its next request; a workspace's longest life counts from its making. */
export async function changeLimits(
  tx: Executor,
  credential: { workspaceId: string; id: string; createdAt: string },
  input: LimitsInput,
): Promise<void> {
  const { workspaceId, id } = credential;
  const days = await findCredentialDays(tx, workspaceId);
  const expiresAt = readExpiry(input);
  if (days !== null) {
    const latestMs = Date.parse(credential.createdAt) + days * DAY_MS;
    if (expiresAt === null || expiresAt.getTime() > latestMs + SLACK_MS) throw tooLong(days);
  }
  await setLimits(tx, workspaceId, id, { expiresAt, allowedAddresses: readAllowed(input) });
}

function readExpiry({ expiresAt, expiresInSeconds }: LimitsInput): Date | null {
  if (expiresAt && expiresInSeconds) {
    throw new AppError("VALIDATION_FAILED", "Send expiresAt or expiresInSeconds, not both.");
  }
  if (expiresInSeconds) return new Date(nowMs() + expiresInSeconds * 1_000);
  if (!expiresAt) return null;
  const at = new Date(expiresAt);
  if (Number.isNaN(at.getTime()))
    throw fieldError("expiresAt", "FORMAT", "must be a time such as 2027-01-31T00:00:00Z.");
  if (at.getTime() <= nowMs())
    throw fieldError("expiresAt", "RANGE", "must be in the future. To end it now, revoke it.");
  return at;
}

function readAllowed({ allowedAddresses }: LimitsInput): string[] | null {
  return allowedAddresses ? readNetworks(allowedAddresses, "allowedAddresses") : null;
}

function tooLong(days: number | null): AppError {
  return fieldError("expiresAt", "RANGE", `This workspace lets a credential live ${days} days at most.`);
}
