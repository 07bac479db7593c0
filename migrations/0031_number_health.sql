-- The answer rate of a number is counted over its latest attempts. None of the columns ever changes, so updates stay cheap.
create index call_attempts_phone_number on call_attempts (workspace_id, phone_number_id, submitted_at);

-- An account that fails stops its numbers, one that works again gives them back.
create index phone_numbers_account on phone_numbers (workspace_id, carrier_account_id)
  where carrier_account_id is not null;
