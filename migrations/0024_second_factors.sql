-- Second factors of people, and limits of credentials.

-- Times of one-time passwords (RFC 6238): one secret for each person, sealed. It counts once a code confirmed it.
create table user_totp (
  user_id uuid primary key references users,
  secret bytea not null,
  confirmed_at timestamptz,
  -- Time step of the last code: codes of it and of earlier ones are refused, so each works once.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

-- Digests of the codes for somebody whose second factor is lost; each works once.
create table user_recovery_codes (
  user_id uuid not null references users,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Passkeys (WebAuthn): public keys alone.
create table user_passkeys (
  id uuid primary key,
  user_id uuid not null references users,
  credential_id bytea not null unique,
  -- SubjectPublicKeyInfo, DER
  public_key bytea not null,
  name text not null,
  transports text[] not null,
  is_backed_up boolean not null,
  sign_count bigint not null,
  -- When the authenticator's counter was not higher than before: the passkey may have been copied.
  regressed_at timestamptz,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index user_passkeys_user on user_passkeys (user_id);

-- Steps of a sign-in that are not over: a password that was right, or the challenge of a passkey. Held by a session or
-- by a token in the browser, of which the digest is stored. A database crash empties the table: people begin again.
create unlogged table sign_in_steps (
  holder_hash bytea primary key,
  user_id uuid,
  challenge text,
  expires_at timestamptz not null
);
create index sign_in_steps_expiry on sign_in_steps (expires_at);

-- Since when the account has a second factor; null: it has none.
alter table users add column second_factor_at timestamptz;
-- When the person showed again who they are; null: at the sign-in alone.
alter table user_sessions add column confirmed_at timestamptz;

alter table workspaces add column requires_second_factor boolean not null default false;
-- The longest life of credentials that are made from now on; null: any.
alter table workspaces add column credential_days integer;

-- Networks from which a credential is accepted; null: all.
alter table credentials add column allowed_addresses cidr[];
alter table credentials add column last_used_address inet;
-- When its owners were warned that it expires.
alter table credentials add column expiry_warned_at timestamptz;
