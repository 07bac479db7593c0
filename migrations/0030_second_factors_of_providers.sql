-- Of a session that an identity provider opened: whether the provider answers for a second factor. Null: none opened it,
-- or the person showed a factor of theirs in it, so the account's own factors count.
alter table user_sessions add column provider_factor boolean;
