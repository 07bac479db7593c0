-- Who was heard to answer a call: {answeredBy, confidence, decidedAfterMs, reason}; null where nobody listened for it.
alter table call_results add column answer jsonb;
