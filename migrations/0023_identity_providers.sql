-- Identity providers of companies (OpenID Connect, SCIM 2.0), the people whom they name, and the roles that their
-- groups give. Accounts belong to the installation, so do these.

create table identity_providers (
  id uuid primary key,
  -- stands in the addresses that the provider knows, so it stays
  key text not null unique,
  name text not null,
  -- a person is the pair of issuer and subject, so it stays
  issuer text not null,
  client_id text not null,
  -- sealed; null: a client without one
  client_secret bytea,
  scopes text[] not null,
  -- e-mail domains of its people, in lower case
  domains text[] not null,
  group_claim text not null,
  -- claim that has the same value as the externalId of SCIM
  external_id_claim text not null,
  -- makes an account for a person who signs in for the first time
  creates_accounts boolean not null,
  -- a verified e-mail address may take over the account that has it
  links_by_email boolean not null,
  -- people of its domains cannot sign in with a password
  refuses_passwords boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Roles that groups give. A person in several groups gets the strongest.
create table identity_provider_roles (
  workspace_id uuid not null references workspaces,
  provider_id uuid not null references identity_providers on delete cascade,
  group_name text not null,
  role text not null,
  primary key (workspace_id, provider_id, group_name)
);
create index identity_provider_roles_provider on identity_provider_roles (provider_id);

-- People as a provider knows them.
create table identities (
  provider_id uuid not null references identity_providers on delete cascade,
  user_id uuid not null references users,
  -- null: provisioned, and not signed in yet
  subject text,
  external_id text,
  user_name text not null,
  -- attributes of SCIM, as they were sent
  profile json not null default '{}',
  -- groups that the last sign-in named
  groups text[] not null default '{}',
  -- false: the provider took the account's access away
  is_active boolean not null default true,
  -- the provider deleted the person; the account stays, disabled
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (provider_id, user_id)
);
create unique index identities_subject on identities (provider_id, subject);
create unique index identities_user_name on identities (provider_id, lower(user_name));
create index identities_user on identities (user_id);

-- Tokens with which a provider provisions its people. Only the digest is stored.
create table scim_tokens (
  token_hash bytea primary key,
  id uuid not null unique,
  provider_id uuid not null references identity_providers on delete cascade,
  last4 text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index scim_tokens_provider on scim_tokens (provider_id);

-- Groups that a provider provisioned, and their members.
create table scim_groups (
  provider_id uuid not null references identity_providers on delete cascade,
  id uuid not null,
  display_name text not null,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (provider_id, id)
);
create unique index scim_groups_name on scim_groups (provider_id, lower(display_name));
create table scim_group_members (
  provider_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  primary key (provider_id, group_id, user_id),
  foreign key (provider_id, group_id) references scim_groups on delete cascade,
  foreign key (provider_id, user_id) references identities on delete cascade
);
create index scim_group_members_user on scim_group_members (provider_id, user_id);

-- Sign-ins under way. A row is deleted by its first answer, so an answer cannot be used twice.
create table sign_on_attempts (
  state_hash bytea primary key,
  provider_id uuid not null references identity_providers on delete cascade,
  -- path of the dashboard to open afterwards
  next text not null,
  created_at timestamptz not null default now()
);
create index sign_on_attempts_age on sign_on_attempts (created_at);

-- Sessions that a provider opened, with the address that ends its own session.
create table sign_on_sessions (
  session_id uuid primary key references user_sessions (id) on delete cascade,
  provider_id uuid not null references identity_providers on delete cascade,
  -- sealed: it holds the ID token; null: the provider has no such address
  sign_out_url bytea
);
create index sign_on_sessions_provider on sign_on_sessions (provider_id);

-- The identity provider whose groups gave the role; null: a person did.
alter table memberships add column provider_id uuid;
