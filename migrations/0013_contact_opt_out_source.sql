-- Who wrote down the opt-out of a contact without a number: OPERATOR, who may take it back, or SPOKEN_REFUSAL, the person.
-- Null for those from before this column: nobody knows whose they are, so they count as the person's own.
alter table contacts add column opted_out_source text;
