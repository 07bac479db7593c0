import type { Executor } from "#src/platform/db/database.ts";
import { nullable, oneOf, type Static, Timestamp, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText, uuidv7 } from "#src/platform/kernel/id.ts";
import { type Actor, OPERATOR, recordAccountAudit, recordAudit } from "#src/tenancy/audit/audit.ts";
import { getWorkspace, getWorkspaces } from "#src/tenancy/workspaces/workspaces.ts";
import { assertPasswordsAllowed } from "./password-domains.ts";
import { assertPassword, hashPassword } from "./password.ts";
import type { Role } from "./roles.ts";
import { beginSecondStep, type SecondStep } from "./second-step.ts";
import { deleteSessions } from "./session-sql.ts";
import { type OpenedSession, openSession, toActor, type Visitor } from "./sign-in.ts";
import {
  countUsers,
  dropLinks,
  findLink,
  findUserByEmail,
  insertLink,
  type LinkRow,
  lockMember,
  lockSetup,
  putMember,
  setPassword,
  useLink,
} from "./store.ts";
import { createUser, requireUser, WorkspaceRole } from "./users.ts";

const SETUP_SECONDS = 30 * 60;
const RESET_SECONDS = 24 * 3_600;
const INVITATION_SECONDS = 7 * 86_400;
const PAGES = { SETUP: "setup", INVITE: "invite", RESET: "reset" } as const;

/** A link that was just made; anyone who has it may use it, once. */
export const NewLink = Type.Object({ url: Type.String(), expiresAt: Timestamp }, { $id: "NewLink" });
export type NewLink = Static<typeof NewLink>;

/** Purpose of a link, for the page that it opens. */
export const LinkInfo = Type.Object(
  {
    kind: oneOf(["SETUP", "INVITE", "RESET"]),
    email: nullable(Type.String()),
    name: nullable(Type.String()),
    workspaceName: nullable(
      Type.String({ description: "Of the invitation; of a set-up one that the owner finds, null: there is none." }),
    ),
    role: nullable(WorkspaceRole),
    hasAccount: Type.Boolean({ description: "The invitation's e-mail address has an account: sign in, then join." }),
    expiresAt: Timestamp,
  },
  { $id: "LinkInfo" },
);
export type LinkInfo = Static<typeof LinkInfo>;

/** Makes the link that sets up the installation, and replaces an earlier one; 409 once there is an account. */
export async function createSetupLink(tx: Executor, publicUrl: string): Promise<NewLink> {
  await lockSetup(tx);
  if ((await countUsers(tx)) > 0)
    throw new AppError("CONFLICT", "This installation is set up. For a lost password: parley user reset E-MAIL.");
  await dropLinks(tx, "SETUP", null);
  const { link } = await make(tx, publicUrl, blank("SETUP"), SETUP_SECONDS);
  return link;
}

/** Makes a link for setting an account's new password, and replaces an earlier one. */
export async function createResetLink(tx: Executor, publicUrl: string, userId: string, actor: Actor): Promise<NewLink> {
  const user = await requireUser(tx, userId);
  if (user.disabled_at !== null) throw new AppError("CONFLICT", "This account is disabled.");
  await dropLinks(tx, "RESET", userId);
  const row = { ...blank("RESET"), user_id: userId, email: user.email, name: user.name, created_by: actor.userId };
  const { link } = await make(tx, publicUrl, row, RESET_SECONDS);
  await recordAccountAudit(tx, userId, { actor, action: "user.reset_link_created", target: user.email });
  return link;
}

/** Makes a reset link for the operator, who names the account by its e-mail address. */
export async function createResetLinkFor(tx: Executor, publicUrl: string, email: string): Promise<NewLink> {
  const user = await findUserByEmail(tx, email);
  if (!user) throw new AppError("NOT_FOUND", "There is no such user.");
  return createResetLink(tx, publicUrl, user.id, OPERATOR);
}

/** Invited person and role. */
export interface InvitationInput {
  role: Role;
  email?: string | null | undefined;
  name?: string | null | undefined;
}

/** Makes the link that invites somebody to a workspace. */
export async function createInvitation(
  tx: Executor,
  publicUrl: string,
  workspaceId: string,
  input: InvitationInput,
  actor: Actor,
): Promise<{ row: LinkRow; link: NewLink }> {
  await getWorkspace(tx, workspaceId);
  const { role, email = null, name = null } = input;
  const row = { ...blank("INVITE"), workspace_id: workspaceId, role, email, name, created_by: actor.userId };
  const made = await make(tx, publicUrl, row, INVITATION_SECONDS);
  const details = { role, invitationId: made.row.id };
  await recordAudit(tx, { workspaceId, actor, action: "member.invited", target: email, details });
  return made;
}

/** Returns the purpose of a link; 404 when it is used, expired or unknown. */
export async function lookUpLink(db: Executor, token: string): Promise<LinkInfo> {
  const row = await findLink(db, token);
  if (!row) throw gone();
  const workspace =
    row.workspace_id === null
      ? row.kind === "SETUP" && (await getWorkspaces(db))[0]
      : await getWorkspace(db, row.workspace_id);
  const account = row.kind === "INVITE" && row.email !== null ? await findUserByEmail(db, row.email) : undefined;
  return {
    kind: row.kind,
    email: row.email,
    name: row.name,
    workspaceName: workspace ? workspace.name : null,
    role: row.role,
    hasAccount: account !== undefined,
    expiresAt: row.expires_at.toISOString(),
  };
}

/** Fields of a new account. */
export interface NewAccount {
  token: string;
  name: string;
  email: string;
  password: string;
}

/** Makes the first account, which owns the installation, and signs it in; `fill` makes its workspace. */
export async function setUp(
  db: Executor,
  input: NewAccount,
  visitor: Visitor,
  fill: (tx: Executor, actor: Actor) => Promise<void>,
): Promise<OpenedSession> {
  const account = await prepareAccount(db, "SETUP", input);
  return db.transaction().execute(async (tx) => {
    await lockSetup(tx);
    if (!(await useLink(tx, input.token, "SETUP")) || (await countUsers(tx)) > 0) throw gone();
    await createUser(tx, { ...account, isInstallationOwner: true });
    const actor = toActor(account, visitor);
    await recordAudit(tx, { workspaceId: null, actor, action: "installation.set_up", target: null });
    await fill(tx, actor);
    return openSession(tx, account.id, visitor);
  });
}

/** Makes the account of an invited person, and signs it in. */
export async function acceptInvitation(db: Executor, input: NewAccount, visitor: Visitor): Promise<OpenedSession> {
  const account = await prepareAccount(db, "INVITE", input);
  return db.transaction().execute(async (tx) => {
    const link = await useLink(tx, input.token, "INVITE");
    if (!link) throw gone();
    await createUser(tx, { ...account, isInstallationOwner: false });
    await join(tx, link, toActor(account, visitor));
    return openSession(tx, account.id, visitor);
  });
}

/** Makes a person with an account a member of one more workspace. */
export async function joinByInvitation(db: Executor, token: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const link = await useLink(tx, token, "INVITE");
    if (!link) throw gone();
    await join(tx, link, actor);
  });
}

/**
 * Sets an account's new password by its link, ends all its sessions and opens one. The link stands for the password
 * alone: an account with a second factor gets its second step.
 */
export async function resetPassword(
  db: Executor,
  { token, password }: { token: string; password: string },
  visitor: Visitor,
): Promise<OpenedSession | SecondStep> {
  assertPassword(password, "password");
  if ((await findLink(db, token))?.kind !== "RESET") throw gone();
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const link = await useLink(tx, token, "RESET");
    const user = link?.user_id ? await requireUser(tx, link.user_id) : undefined;
    if (!user || user.disabled_at !== null) throw gone();
    await setPassword(tx, user.id, passwordHash);
    await deleteSessions(tx, user.id, null);
    const actor = toActor(user, visitor);
    await recordAccountAudit(tx, user.id, { actor, action: "user.password_reset", target: user.email });
    return user.second_factor_at === null ? openSession(tx, user.id, visitor) : beginSecondStep(tx, user.id);
  });
}

/** Digests the password before the transaction, to keep that short. An invalid token costs no digest. */
async function prepareAccount(db: Executor, kind: LinkRow["kind"], input: NewAccount) {
  assertPassword(input.password, "password");
  if ((await findLink(db, input.token))?.kind !== kind) throw gone();
  if (await findUserByEmail(db, input.email))
    throw new AppError("CONFLICT", "This e-mail address has an account. Sign in with it.");
  await assertPasswordsAllowed(db, input.email);
  const passwordHash = await hashPassword(input.password);
  return { id: uuidv7(), email: input.email, name: input.name, passwordHash };
}

async function join(tx: Executor, { workspace_id: workspaceId, role }: LinkRow, actor: Actor): Promise<void> {
  if (workspaceId === null || role === null || actor.userId === null) throw gone();
  if (await lockMember(tx, workspaceId, actor.userId))
    throw new AppError("CONFLICT", "You are a member of this workspace already.");
  await putMember(tx, workspaceId, actor.userId, role);
  await recordAudit(tx, { workspaceId, actor, action: "member.joined", target: actor.name, details: { role } });
}

function gone(): AppError {
  return new AppError("NOT_FOUND", "This link was used, has expired, or never was. Ask for a new one.");
}

type NewLinkRow = Omit<LinkRow, "created_at" | "expires_at">;

function blank(kind: LinkRow["kind"]): NewLinkRow {
  const none = { workspace_id: null, role: null, email: null, name: null, user_id: null, created_by: null };
  return { id: uuidv7(), kind, ...none };
}

async function make(
  tx: Executor,
  publicUrl: string,
  link: NewLinkRow,
  lifetimeSeconds: number,
): Promise<{ row: LinkRow; link: NewLink }> {
  const token = randomText(32);
  const row = await insertLink(tx, token, link, lifetimeSeconds);
  return { row, link: { url: `${publicUrl}/${PAGES[link.kind]}/${token}`, expiresAt: row.expires_at.toISOString() } };
}
