import type { Executor } from "#src/platform/db/database.ts";
import {
  INSTALLATION_OWNER,
  WORKSPACE_ADMIN,
  WORKSPACE_PATH,
  WORKSPACE_READ,
} from "#src/platform/http/console-access.ts";
import { ifUnchangedBody } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { nullable, Type, Uuid } from "#src/platform/http/schemas.ts";
import { actorOf, personOf } from "#src/tenancy/audit/actor.ts";
import { createInvitation, createResetLink, NewLink } from "./links.ts";
import {
  changeRole,
  getInvitations,
  getMembers,
  Invitation,
  Member,
  removeMember,
  revokeInvitation,
  toInvitation,
} from "./members.ts";
import { disableUser, Email, getUsers, PersonName, UserRecord, WorkspaceRole } from "./users.ts";

const USERS = "/api/console/users";
const owners = { audience: "console", access: [INSTALLATION_OWNER], tag: "Users" } as const;
const admins = { audience: "console", access: [WORKSPACE_ADMIN], tag: "Members" } as const;
const workspaceParams = Type.Object({ workspaceId: Uuid });
const memberParams = Type.Object({ workspaceId: Uuid, userId: Uuid });

/** Routes of people: the accounts of the installation, the members of a workspace and the invitations to it. */
export function userRoutes(db: Executor, publicUrl: string): Route[] {
  return [...accountRoutes(db, publicUrl), ...memberRoutes(db), ...invitationRoutes(db, publicUrl)];
}

function accountRoutes(db: Executor, publicUrl: string): Route[] {
  const params = Type.Object({ userId: Uuid });
  const able = (isDisabled: boolean) =>
    route({
      ...owners,
      method: isDisabled ? "DELETE" : "POST",
      path: isDisabled ? `${USERS}/{userId}` : `${USERS}/{userId}/enable`,
      summary: isDisabled ? "Disable an account; its sessions end" : "Enable a disabled account again",
      params,
      replies: { 204: null },
      run: (request) =>
        db.transaction().execute((tx) => disableUser(tx, request.params.userId, isDisabled, actorOf(request))),
    });
  return [
    route({
      ...owners,
      method: "GET",
      path: USERS,
      summary: "List all accounts",
      replies: { 200: Type.Array(UserRecord) },
      run: () => getUsers(db),
    }),
    route({
      ...owners,
      method: "POST",
      path: `${USERS}/{userId}/reset-link`,
      summary: "Make a link with which somebody sets a new password; it is shown this once",
      params,
      replies: { 200: NewLink },
      run: (request) =>
        db.transaction().execute((tx) => createResetLink(tx, publicUrl, request.params.userId, actorOf(request))),
    }),
    able(true),
    able(false),
  ];
}

function memberRoutes(db: Executor): Route[] {
  const path = `${WORKSPACE_PATH}/members`;
  return [
    route({
      ...admins,
      access: [WORKSPACE_READ],
      method: "GET",
      path,
      summary: "List the members of the workspace",
      params: workspaceParams,
      replies: { 200: Type.Array(Member) },
      run: ({ caller }) => getMembers(db, caller.workspaceId),
    }),
    route({
      ...admins,
      method: "PUT",
      path: `${path}/{userId}`,
      summary: "Give a member another role",
      params: memberParams,
      body: Type.Object({ role: WorkspaceRole, ...ifUnchangedBody }),
      replies: { 200: Member },
      run: (request) => {
        const { caller, params, body } = request;
        return db
          .transaction()
          .execute((tx) => changeRole(tx, caller.workspaceId, params.userId, body, actorOf(request)));
      },
    }),
    route({
      ...admins,
      method: "DELETE",
      path: `${path}/{userId}`,
      summary: "Take a member out of the workspace",
      params: memberParams,
      replies: { 204: null },
      run: (request) =>
        db
          .transaction()
          .execute((tx) => removeMember(tx, request.caller.workspaceId, request.params.userId, actorOf(request))),
    }),
  ];
}

function invitationRoutes(db: Executor, publicUrl: string): Route[] {
  const path = `${WORKSPACE_PATH}/invitations`;
  return [
    route({
      ...admins,
      method: "GET",
      path,
      summary: "List the invitations that can still be used",
      params: workspaceParams,
      replies: { 200: Type.Array(Invitation) },
      run: ({ caller }) => getInvitations(db, caller.workspaceId),
    }),
    route({
      ...admins,
      method: "POST",
      path,
      summary: "Invite somebody; the link is shown this once, and nothing is sent",
      params: workspaceParams,
      body: Type.Object({
        role: WorkspaceRole,
        email: Type.Optional(nullable(Email)),
        name: Type.Optional(nullable(PersonName)),
      }),
      replies: { 201: Type.Object({ ...Invitation.properties, url: Type.String() }, { $id: "NewInvitation" }) },
      async run(request) {
        const { caller, body } = request;
        const { row, link } = await db
          .transaction()
          .execute((tx) => createInvitation(tx, publicUrl, caller.workspaceId, body, actorOf(request)));
        return { ...toInvitation(row, personOf(caller).name), url: link.url };
      },
    }),
    route({
      ...admins,
      method: "DELETE",
      path: `${path}/{invitationId}`,
      summary: "Take an invitation back",
      params: Type.Object({ workspaceId: Uuid, invitationId: Uuid }),
      replies: { 204: null },
      run: (request) =>
        db
          .transaction()
          .execute((tx) =>
            revokeInvitation(tx, request.caller.workspaceId, request.params.invitationId, actorOf(request)),
          ),
    }),
  ];
}
