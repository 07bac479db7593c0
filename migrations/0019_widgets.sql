-- A chat window for web pages. `public_id` stands in the page; who may use it is told by the origin.
create table widgets (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  public_id text not null unique,
  name text not null,
  -- null: the workspace's default flow
  flow_id uuid,
  allowed_origins text[] not null,
  greeting text,
  theme_color text not null,
  active boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- What a visitor's browser holds: the way into one chat and no other.
create table widget_tokens (
  workspace_id uuid not null,
  widget_id uuid not null,
  session_id uuid not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  primary key (workspace_id, session_id),
  foreign key (workspace_id, widget_id) references widgets on delete cascade,
  foreign key (workspace_id, session_id) references chat_sessions on delete cascade
);
create index widget_tokens_widget on widget_tokens (workspace_id, widget_id);

-- How fast visitors may start chats and write. `bucket` names what is counted, an address by its digest alone.
create table widget_buckets (
  workspace_id uuid not null,
  bucket text not null,
  tokens double precision not null,
  refilled_at timestamptz not null,
  granted boolean not null,
  primary key (workspace_id, bucket)
);
