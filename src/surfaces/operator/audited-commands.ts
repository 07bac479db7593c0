import type { Database, Executor } from "#src/platform/db/database.ts";
import type { AuditAction } from "#src/tenancy/audit/actions.ts";
import { OPERATOR, recordAudit } from "#src/tenancy/audit/audit.ts";
import { type AuditParts, runAnnounced } from "#src/tenancy/audit/intents.ts";
import type { Command } from "./command.ts";

type Body = Record<string, unknown>;

/** Part of a command's entry in the audit log. */
export interface CommandEntry {
  workspaceId: string;
  target: string;
  /** Never a secret. */
  details?: Record<string, unknown>;
}

/** Result of a command, and its entry. */
export interface Done {
  result: unknown;
  entry: CommandEntry;
}

/** Returns a command that changes a workspace in one transaction, with its entry in the workspace's audit log. */
export function auditedCommand(
  { db }: Database,
  action: AuditAction,
  run: (tx: Executor, body: Body) => Promise<Done>,
): Command {
  return (body) =>
    db.transaction().execute(async (tx) => {
      const { result, entry } = await run(tx, body);
      await recordAudit(tx, { ...entry, actor: OPERATOR, action });
      return result;
    });
}

/**
 * Returns a command that has transactions of its own or none, such as one that asks a carrier first. It is announced in
 * the log of the workspace, or of the installation (null), before it begins.
 */
export function announcedCommand(
  auditParts: AuditParts,
  action: AuditAction,
  about: (body: Body) => Promise<{ workspaceId: string | null; target: string | null }>,
  run: Command,
): Command {
  return async (body) => {
    const { workspaceId, target } = await about(body);
    const event = { workspaceId, actor: OPERATOR, action, target };
    return runAnnounced(
      auditParts,
      event,
      () => run(body),
      (result) => target ?? idOf(result),
    );
  };
}

function idOf(result: unknown): string | null {
  const id = (result as { id?: unknown } | null)?.id;
  return typeof id === "string" ? id : null;
}

/** Returns the names of the fields that a command was given, without those that name its object. */
export function namesOf(body: Body, ...without: string[]): { fields: string[] } {
  return { fields: Object.keys(body).filter((name) => body[name] !== undefined && !without.includes(name)) };
}
