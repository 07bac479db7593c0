import { phoneSql } from "#src/interactions/calls/new-row.ts";

const PHONE = phoneSql("e.customer_number");

/**
 * Opens the reviews of calls that end in doubt, as common table expressions behind `x` (workspace_id, row_id, doubt: an
 * OptOutDoubt with ids for the review and its event) and `ended` (workspace_id, id, session_id, customer_number). They
 * commit with the end, so no retry and no other dial of the number comes between. A number in the ledger needs no
 * review, and without a number there is nobody to hold.
 */
export const OPEN_REVIEWS_SQL = `
reviews as (
  insert into opt_out_reviews (workspace_id, id, subject_type, subject_id, session_id, number, reason, language, quotes)
  select e.workspace_id, (x.doubt ->> 'id')::uuid, 'CALL', e.id, e.session_id, ${PHONE}, x.doubt ->> 'reason', x.doubt ->> 'language',
         x.doubt -> 'quotes'
    from x join ended e on e.workspace_id = x.workspace_id and e.id = x.row_id
   where x.doubt is not null and ${PHONE} is not null
     and not exists (select 1 from do_not_call d where d.workspace_id = e.workspace_id and d.number = e.customer_number)
  returning workspace_id, id, subject_id as row_id
),
reviews_announced as (
  insert into events (workspace_id, id, type, subject_id, data)
  select workspace_id, (x.doubt ->> 'eventId')::uuid, 'opt_out_review.opened', id, json_build_object('rowId', row_id)
    from reviews join x using (workspace_id, row_id)
)`;
