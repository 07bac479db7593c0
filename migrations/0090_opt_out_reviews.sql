-- Sessions in which somebody may have asked for no more contact, and which the do-not-call ledger does not answer. While
-- one is OPEN, the person is neither called nor written to (HELD_SQL in src/compliance/gate.ts).
create table opt_out_reviews (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- CALL: subject_id is the row; CHAT: the session
  subject_type text not null,
  subject_id uuid not null,
  session_id uuid not null,
  -- whom it holds; one of the two is known
  number text,
  contact_id uuid,
  reason text not null,
  language text,
  quotes json not null,
  state text not null default 'OPEN',
  note text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- Asked for at every dial and message.
create index opt_out_reviews_held on opt_out_reviews (workspace_id, number) where state = 'OPEN';
create index opt_out_reviews_contact on opt_out_reviews (workspace_id, contact_id) where state = 'OPEN' and contact_id is not null;
create index opt_out_reviews_state on opt_out_reviews (workspace_id, state, id);
create index opt_out_reviews_subject on opt_out_reviews (workspace_id, subject_id, id);
create index opt_out_reviews_number on opt_out_reviews (workspace_id, number, id);
