import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import type { PasskeyRow } from "./passkey-store.ts";

/** A passkey, as its person is shown it. */
export const Passkey = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    isBackedUp: Type.Boolean({ description: "Kept by a password manager or an account, not by one device alone." }),
    regressedAt: nullable(
      Type.String({ format: "date-time", description: "When its counter went back: it may have been copied." }),
    ),
    createdAt: Timestamp,
    lastUsedAt: nullable(Timestamp),
  },
  { $id: "Passkey" },
);
export type Passkey = Static<typeof Passkey>;

/** A passkey, as it is shown. */
export function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    isBackedUp: row.is_backed_up,
    regressedAt: row.regressed_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
