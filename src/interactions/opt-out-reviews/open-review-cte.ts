import { phoneSql } from "#src/interactions/calls/new-row.ts";

const PHONE = phoneSql("e.customer_number");

/**
 * Opens the reviews of calls that end in doubt, as common table expressions behind `ended` (workspace_id, id,
 * session_id, customer_number, doubt: an OptOutDoubt with ids for the review and its event). They commit with the end,
 * so no retry and no other dial of the number comes between. A number in the ledger needs no review, and without a
 * number there is nobody to hold.
 */
export const OPEN_REVIEWS_SQL = `
reviews as (
  insert into opt_out_reviews (workspace_id, id, subject_type, subject_id, session_id, number, reason, language, quotes)
  select e.workspace_id, (e.doubt ->> 'id')::uuid, 'CALL', e.id, e.session_id, ${PHONE}, e.doubt ->> 'reason', e.doubt ->> 'language',
         e.doubt -> 'quotes'
    from ended e
   where e.doubt is not null and ${PHONE} is not null
     and not exists (select 1 from do_not_call d where d.workspace_id = e.workspace_id and d.number = e.customer_number)
  returning workspace_id, id, subject_id as row_id
),
reviews_announced as (
  insert into events (workspace_id, id, type, subject_id, data)
  select v.workspace_id, (e.doubt ->> 'eventId')::uuid, 'opt_out_review.opened', v.id, json_build_object('rowId', e.id)
    from reviews v join ended e on e.workspace_id = v.workspace_id and e.id = v.row_id
)`;
