import type { Executor } from "#src/platform/db/database.ts";
import { readOrigins } from "#src/platform/http/origins.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText, sha256 } from "#src/platform/kernel/id.ts";
import { deleteWebPhone, insertWebPhone, listWebPhones, type WebPhoneRow } from "./store.ts";
import { OriginList, socketUrlOf } from "./web-calls.ts";

const DEFAULT_LIFETIME_SECONDS = 8 * 3_600;

/** Body of POST /web-phones. */
export const WebPhoneInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", description: "Whose page it is." }),
    lifetimeSeconds: Type.Optional(
      nullable(
        Type.Integer({ minimum: 60, maximum: 86_400, description: "How long the token is good. Default 28800." }),
      ),
    ),
    allowedOrigins: Type.Optional(OriginList),
  },
  { $id: "WebPhoneInput" },
);

const fields = {
  id: Uuid,
  name: Type.String(),
  allowedOrigins: Type.Array(Type.String()),
  expiresAt: Timestamp,
  createdAt: Timestamp,
};

/** A page that waits to be rung. */
export const WebPhone = Type.Object(fields, { $id: "WebPhone" });

/** The same with its token, which is shown once. */
export const NewWebPhone = Type.Object(
  { ...fields, token: Type.String({ description: "For the page." }), socketUrl: Type.String() },
  { $id: "NewWebPhone" },
);

/** Creates a page that may be rung, and the token that it waits with. */
export async function createWebPhone(
  tx: Executor,
  publicUrl: string,
  workspaceId: string,
  body: Static<typeof WebPhoneInput>,
): Promise<Static<typeof NewWebPhone>> {
  const token = `wpt_${randomText(44)}`;
  const row = await insertWebPhone(tx, workspaceId, {
    name: body.name,
    tokenHash: sha256(token),
    allowedOrigins: readOrigins(body.allowedOrigins ?? [], "allowedOrigins"),
    lifetimeSeconds: body.lifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS,
  });
  return { ...toWebPhone(row), token, socketUrl: socketUrlOf(publicUrl) };
}

/** Lists the pages of a workspace that may be rung. */
export async function getWebPhones(db: Executor, workspaceId: string): Promise<Static<typeof WebPhone>[]> {
  return (await listWebPhones(db, workspaceId)).map(toWebPhone);
}

/** Deletes a page; 404 when there is none. */
export async function removeWebPhone(tx: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await deleteWebPhone(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
}

function toWebPhone(row: WebPhoneRow): Static<typeof WebPhone> {
  return {
    id: row.id,
    name: row.name,
    allowedOrigins: row.allowed_origins,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  };
}
