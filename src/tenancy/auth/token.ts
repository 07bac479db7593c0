import { timingSafeEqual } from "node:crypto";
import type { Executor } from "#src/platform/db/database.ts";
import { EXTERNAL_API, Reply } from "#src/platform/http/route.ts";
import { plainAddress } from "#src/platform/kernel/addresses.ts";
import { randomText, sha256 } from "#src/platform/kernel/id.ts";
import { MAX_TOKEN_SECONDS } from "./credentials.ts";
import { expandPermissions } from "./permissions.ts";
import type { RefusedUse } from "./refused-uses.ts";
import { findClient, insertToken } from "./store.ts";

const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };

interface ClientSecret {
  clientId: string;
  secret: string;
}

/** Paths of the protected resources of tokens (RFC 9728), below the public URL. */
export const RESOURCES = ["", "/api/mcp", EXTERNAL_API];

interface TokenRequest {
  /** Media type, without parameters. */
  contentType: string;
  authorization: string | undefined;
  form: string;
  /** Address of the client. */
  address: string;
}

/** The client-credentials grant (RFC 6749 section 4.4), as a reply of section 5.1 or an error of 5.2. */
export async function grantToken(
  db: Executor,
  publicUrl: string,
  { contentType, authorization, form, address }: TokenRequest,
  onRefused: (use: RefusedUse) => void,
): Promise<Reply> {
  if (contentType !== "application/x-www-form-urlencoded") {
    return refusal(400, "invalid_request", "Send the parameters as application/x-www-form-urlencoded.");
  }
  const fields = new URLSearchParams(form);
  // Only RFC 8707 allows a repeated parameter (RFC 6749, 3.2).
  const repeated = [...fields.keys()].find((name) => name !== "resource" && fields.getAll(name).length > 1);
  if (repeated) return refusal(400, "invalid_request", `${repeated.slice(0, 100)} is sent more than once.`);
  const client = readClient(authorization, fields);
  if (client instanceof Reply) return client;
  const grantType = fields.get("grant_type");
  if (!grantType) return refusal(400, "invalid_request", "grant_type is missing.");
  if (grantType !== "client_credentials") {
    return refusal(400, "unsupported_grant_type", "Only client_credentials is supported.");
  }
  const known = RESOURCES.map((path) => publicUrl + path);
  const foreign = fields.getAll("resource").find((uri) => !known.includes(uri.replace(/\/$/, "")));
  if (foreign !== undefined) return refusal(400, "invalid_target", `resource must be one of ${known.join(", ")}.`);
  return issueToken(db, client, fields.get("scope"), address, onRefused);
}

/** Reads the client from Basic credentials or the form; both at once are refused (RFC 6749 section 2.3). */
function readClient(authorization: string | undefined, fields: URLSearchParams): ClientSecret | Reply {
  const formId = fields.get("client_id");
  const formSecret = fields.get("client_secret");
  if (authorization === undefined) {
    if (!formId || !formSecret)
      return refusal(401, "invalid_client", "Send client_id and client_secret, or HTTP Basic.");
    return { clientId: formId, secret: formSecret };
  }
  if (formSecret !== null) return refusal(400, "invalid_request", "Send the client's secret in one place only.");
  const basic = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization)?.[1];
  const text = basic === undefined ? "" : Buffer.from(basic, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 1) return refusal(401, "invalid_client", "The Authorization header is not HTTP Basic.");
  const client = { clientId: formDecode(text.slice(0, colon)), secret: formDecode(text.slice(colon + 1)) };
  if (formId !== null && formId !== client.clientId) {
    return refusal(400, "invalid_request", "client_id differs from the Authorization header.");
  }
  return client;
}

/**
 * Decodes a form-encoded half. Some clients encode both halves (RFC 6749 section 2.3.1), others send them raw; our ids
 * and secrets read the same in both.
 */
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

async function issueToken(
  db: Executor,
  { clientId, secret }: ClientSecret,
  asked: string | null,
  address: string,
  onRefused: (use: RefusedUse) => void,
): Promise<Reply> {
  const known = clientId.includes("\u0000") ? undefined : await findClient(db, clientId, plainAddress(address));
  const expected = known?.secret_hash ?? sha256("no such client");
  if (!timingSafeEqual(expected, sha256(secret)) || !known) {
    return refusal(401, "invalid_client", "The client id or secret is wrong, or the client was revoked.");
  }
  if (known.is_expired || known.is_elsewhere) {
    const reason = known.is_expired ? "EXPIRED" : "ADDRESS";
    onRefused({ workspaceId: known.workspace_id, credentialId: known.id, reason, address });
    const words = known.is_expired ? "The client has expired." : "The client may not be used from your address.";
    return refusal(401, "invalid_client", words);
  }
  const scopes = asked?.split(" ").filter((scope) => scope !== "") ?? [];
  if (expandPermissions(scopes).unknown.length > 0) {
    return refusal(400, "invalid_scope", "The scope names something that is no permission.");
  }
  const lifetime = Math.min(known.token_lifetime_seconds ?? 3_600, MAX_TOKEN_SECONDS);
  const token = randomText(48);
  await insertToken(db, known.workspace_id, known.id, token, lifetime);
  // Permissions belong to the client, not to its tokens: the reply to a request for other scopes lists those granted
  // (RFC 6749, 3.3). MCP clients ask for all of scopes_supported, so asking for more than is granted must not fail.
  const isReported = scopes.length > 0 && known.permissions.length > 0;
  const scope = isReported ? { scope: known.permissions.join(" ") } : {};
  return new Reply(200, { access_token: token, token_type: "Bearer", expires_in: lifetime, ...scope }, NO_STORE);
}

function refusal(status: number, error: string, description: string): Reply {
  const challenge = status === 401 ? { "www-authenticate": 'Basic realm="parley"' } : {};
  return new Reply(status, { error, error_description: description }, { ...NO_STORE, ...challenge });
}
