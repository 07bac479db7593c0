-- An installation without calls has none of earlier versions: the triggers note all that come.
update result_backfill set is_done = true where not exists (select from call_rows);
update result_listing set is_done = true where not exists (select from call_rows);
update result_filling set is_done = true where not exists (select from call_rows);
