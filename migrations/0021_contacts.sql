-- People whom a workspace calls and writes with. A phone number is one contact, and so is a chat identifier; a contact may
-- have both. Rows of jobs get theirs when they are dialled, so that an import stays one insert.
create table contacts (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  phone text,
  identifier text,
  email text,
  name text,
  -- asked for no more contact in a chat that knows no number; a number stands in do_not_call
  opted_out_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, phone),
  unique (workspace_id, identifier)
) with (fillfactor = 90);
create index contacts_email on contacts (workspace_id, lower(email)) where email is not null;
create index contacts_name on contacts (workspace_id, lower(name) text_pattern_ops) where name is not null;

alter table chat_sessions add column contact_id uuid;
create index chat_sessions_contact on chat_sessions (workspace_id, contact_id, id) where contact_id is not null;

-- Calls with somebody, the last first. Only ended rows are in it: an import and the claim do not touch it.
create index call_rows_contact on call_rows (workspace_id, customer_number, ended_at) where ended_at is not null;

-- Those who were called or written with before.
insert into contacts (workspace_id, id, phone, name, email)
select distinct on (workspace_id, phone) workspace_id, gen_random_uuid(), phone, name, email
  from (select workspace_id, customer_number as phone, contact_name as name, contact_email as email, created_at
          from call_rows where started_at is not null
        union all
        select workspace_id, contact_phone, contact_name, contact_email, created_at
          from chat_sessions where contact_phone is not null) talks
 order by workspace_id, phone, created_at desc;
insert into contacts (workspace_id, id, identifier, name, email)
select distinct on (workspace_id, contact_identifier) workspace_id, gen_random_uuid(), contact_identifier, contact_name,
       contact_email
  from chat_sessions where contact_phone is null and contact_identifier is not null
 order by workspace_id, contact_identifier, created_at desc;
update chat_sessions s set contact_id = c.id from contacts c
 where c.workspace_id = s.workspace_id and (c.phone = s.contact_phone
       or (s.contact_phone is null and c.identifier = s.contact_identifier));
