import type { Database } from "#src/platform/db/database.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { compileCheck } from "#src/platform/http/validate.ts";
import { OPERATOR, recordAudit } from "#src/tenancy/audit/audit.ts";
import { createInvitation, createResetLinkFor, createSetupLink } from "#src/tenancy/users/links.ts";
import type { Role } from "#src/tenancy/users/roles.ts";
import { resetSecondFactors } from "#src/tenancy/users/second-factor.ts";
import { disableUserOf, Email, getUsers, PersonName, WorkspaceRole } from "#src/tenancy/users/users.ts";
import type { Command } from "./command.ts";
import { createSignOnCommands } from "./sign-on-commands.ts";

const checkInvitation = compileCheck(
  Type.Object({
    workspaceId: Uuid,
    role: WorkspaceRole,
    email: Type.Optional(Email),
    name: Type.Optional(PersonName),
  }),
  "INVALID_BODY",
  "VALIDATION_FAILED",
);
const checkEmail = compileCheck(Type.Object({ email: Email }), "INVALID_BODY", "VALIDATION_FAILED");

/**
 * Creates the commands that give people access to the dashboard, by links that the service never sends itself, and that
 * take it away.
 */
export function createUserCommands({ database, publicUrl }: { database: Database; publicUrl: string }) {
  const { db } = database;
  return new Map<string, Command>([
    [
      "setup-link",
      () =>
        db.transaction().execute(async (tx) => {
          const link = await createSetupLink(tx, publicUrl);
          await recordAudit(tx, { workspaceId: null, actor: OPERATOR, action: "setup_link.created", target: null });
          return link;
        }),
    ],
    ["user.list", () => getUsers(db)],
    [
      "user.invite",
      async (body) => {
        checkInvitation(body);
        const input = body as { workspaceId: string; role: Role; email?: string; name?: string };
        const { link } = await db
          .transaction()
          .execute((tx) => createInvitation(tx, publicUrl, input.workspaceId, input, OPERATOR));
        return link;
      },
    ],
    ...createSignOnCommands(database, publicUrl),
    ...[true, false].map((isDisabled): [string, Command] => [
      isDisabled ? "user.disable" : "user.enable",
      async (body) => {
        checkEmail(body);
        return db.transaction().execute((tx) => disableUserOf(tx, body.email as string, isDisabled, OPERATOR));
      },
    ]),
    [
      "user.reset-second-factor",
      async (body) => {
        checkEmail(body);
        return db.transaction().execute((tx) => resetSecondFactors(tx, body.email as string, OPERATOR));
      },
    ],
    [
      "user.reset",
      async (body) => {
        checkEmail(body);
        return db.transaction().execute((tx) => createResetLinkFor(tx, publicUrl, body.email as string));
      },
    ],
  ]);
}
