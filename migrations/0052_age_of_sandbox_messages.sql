-- outside a transaction
-- Messages that the sandbox took, oldest first.
create index concurrently if not exists sandbox_messages_age on sandbox_messages (taken_at);
