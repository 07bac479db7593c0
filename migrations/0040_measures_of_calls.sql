-- What lists of calls are sorted by, written by src/interactions/results/fold.ts seconds after a call. This table is
-- written once a call, while call_rows is written at each of its steps. Null: the call has no such measure.
alter table call_facts add column duration_ms integer;
alter table call_facts add column latency_ms double precision;
-- Null only in facts of earlier versions, which are folded once more.
alter table call_facts add column cost numeric;
