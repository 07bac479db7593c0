-- The names of a large list are indexed after its import, in the background (src/interactions/call-jobs/learn-names.ts):
-- they cost more than everything else that the import stores. An import says `set local parley.names = 'later'`.
drop trigger call_rows_learn_names on call_rows;
create trigger call_rows_learn_names after insert on call_rows
  referencing new table as learned for each statement
  when (current_setting('parley.names', true) is distinct from 'later') execute function learn_call_names();

-- Progress of it: the last row whose name was indexed, and how many were. Null when there is nothing to do.
alter table call_jobs add column named_row uuid;
alter table call_jobs add column named_rows integer;

-- Words without accents and other marks, which nearly all are, need no normalisation.
create or replace function search_word(word text) returns text language sql immutable strict parallel safe as $$
  select left(case when octet_length(word) = length(word) then lower(word)
    else regexp_replace(lower(normalize(word, NFKD)), '[\u0300-\u036f]', '', 'g') end, 60)
$$;
