import { randomUUID } from "node:crypto";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { TestDatabase } from "../database.ts";

/** Stores a company's identity provider and a session that it opened; gives both sealed values, and their places. */
export async function storeSealedSignOn(database: TestDatabase, box: SecretBox) {
  const id = randomUUID();
  const provider = {
    canary: "canary-provider",
    sql: "select client_secret as sealed from identity_providers",
    place: `identity_providers|client_secret|${id}`,
  };
  const session = {
    canary: "canary-sign-out",
    sql: "select sign_out_url as sealed from sign_on_sessions",
    place: `sign_on_sessions|sign_out_url|${id}`,
  };
  const seal = ({ canary, place }: typeof provider) => box.seal(canary, place);
  await database.query(
    `insert into identity_providers (id, key, name, issuer, client_id, client_secret, scopes, domains, group_claim,
       external_id_claim, creates_accounts, links_by_email, refuses_passwords)
     values ($1, 'canary', 'Canary', 'https://id.example.com', 'x', $2, '{}', '{}', 'groups', 'sub', false, false, false)`,
    [id, seal(provider)],
  );
  await database.query("insert into users (id, email, name, password_hash) values ($1, 'a@example.com', 'A', '')", [
    id,
  ]);
  await database.query(
    `insert into user_sessions (token_hash, id, user_id, address, tokens, idle_expires_at, expires_at)
     values ('x', $1, $1, '127.0.0.1', 1, now() + interval '1 day', now() + interval '1 day')`,
    [id],
  );
  await database.query("insert into sign_on_sessions (session_id, provider_id, sign_out_url) values ($1, $1, $2)", [
    id,
    seal(session),
  ]);
  return [provider, session];
}
