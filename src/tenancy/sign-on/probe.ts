import type { Executor } from "#src/platform/db/database.ts";
import { type Static, Type } from "#src/platform/http/schemas.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { requireProvider } from "./identity-providers.ts";
import type { OidcClient } from "./oidc.ts";

/** Result of a provider's test: what is wrong, and what will not work. */
export const ProviderProbe = Type.Object(
  {
    ok: Type.Boolean(),
    message: Type.String(),
    notes: Type.Array(Type.String()),
  },
  { $id: "ProviderProbe" },
);
export type ProviderProbe = Static<typeof ProviderProbe>;

/** Reads a provider's metadata and says what a sign-in will find there. Signs nobody in. */
export async function probeProvider(db: Executor, oidc: OidcClient, id: string): Promise<ProviderProbe> {
  const provider = await requireProvider(db, id);
  try {
    const metadata = await oidc.probe(provider);
    const missing = ["authorization_endpoint", "token_endpoint", "jwks_uri"].filter((name) => !metadata[name]);
    if (missing.length > 0) return { ok: false, message: `Its metadata lack ${missing.join(", ")}.`, notes: [] };
    const notes = [
      ...(metadata.end_session_endpoint ? [] : ["It has no sign-out address: signing out ends only the session here."]),
      ...(metadata.userinfo_endpoint ? [] : ["It has no userinfo: e-mail address and groups must be in the ID token."]),
    ];
    return { ok: true, message: `${metadata.issuer} answers. Sign in with it to test the rest.`, notes };
  } catch (error) {
    const { message, cause } = toError(error);
    const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
    return { ok: false, message: `Its metadata could not be read: ${why}`.slice(0, 1_000), notes: [] };
  }
}
