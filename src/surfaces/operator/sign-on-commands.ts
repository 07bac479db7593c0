import type { Database } from "#src/platform/db/database.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { compileCheck } from "#src/platform/http/validate.ts";
import { OPERATOR } from "#src/tenancy/audit/audit.ts";
import { getProviders, requireProviderByKey, setPasswords } from "#src/tenancy/sign-on/identity-providers.ts";
import { createScimToken, getScimTokens, revokeScimToken } from "#src/tenancy/sign-on/scim-tokens.ts";
import type { Command } from "./command.ts";

const Key = Type.String({ maxLength: 40 });
const check = (fields: Parameters<typeof Type.Object>[0]) =>
  compileCheck(Type.Object(fields), "INVALID_BODY", "VALIDATION_FAILED");
const checkKey = check({ key: Key });
const checkPasswords = check({ key: Key, allowed: Type.Boolean() });
const checkId = check({ id: Uuid });

/**
 * Creates the commands of identity providers. An operator lets people in by password again when a provider does not
 * answer, and makes SCIM tokens.
 */
export function createSignOnCommands({ db }: Database, publicUrl: string): Map<string, Command> {
  return new Map<string, Command>([
    ["sign-on.list", () => getProviders(db, publicUrl)],
    [
      "sign-on.passwords",
      async (body) => {
        checkPasswords(body);
        const { key, allowed } = body as { key: string; allowed: boolean };
        await db.transaction().execute((tx) => setPasswords(tx, key, allowed, OPERATOR));
        return { key, allowed };
      },
    ],
    [
      "sign-on.tokens",
      async (body) => {
        checkKey(body);
        return getScimTokens(db, (await requireProviderByKey(db, body.key as string)).id);
      },
    ],
    [
      "sign-on.token",
      async (body) => {
        checkKey(body);
        return db.transaction().execute(async (tx) => {
          const { id } = await requireProviderByKey(tx, body.key as string);
          return createScimToken(tx, id, OPERATOR);
        });
      },
    ],
    [
      "sign-on.revoke-token",
      async (body) => {
        checkId(body);
        await db.transaction().execute((tx) => revokeScimToken(tx, body.id as string, OPERATOR));
        return { id: body.id, revoked: true };
      },
    ],
  ]);
}
