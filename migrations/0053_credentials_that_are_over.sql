-- outside a transaction
-- Credentials that are over, oldest first: they are kept for as long as the log of what was done with them.
create index concurrently if not exists credentials_revoked on credentials (revoked_at) where revoked_at is not null;
create index concurrently if not exists credentials_expiry on credentials (expires_at) where expires_at is not null;
