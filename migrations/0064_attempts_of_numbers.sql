-- outside a transaction
-- No statement reads attempts by their phone number any more, and every step of a call wrote to this index.
drop index concurrently if exists call_attempts_phone_number;
