-- outside a transaction
-- Deliveries of webhooks as tasks_deliveries has them, with their states, which this index tells without the rows.
create index concurrently if not exists tasks_deliveries_by_time on tasks (workspace_id, created_at, id) include (status)
  where kind in ('call_job.completed', 'session.event');
drop index concurrently if exists tasks_deliveries;
-- Deliveries of leads that dialled nobody, of which a source keeps a thousand: each further one looked for the last of
-- them through all that did.
create index concurrently if not exists lead_deliveries_others on lead_deliveries (workspace_id, source_id, id)
  where status <> 'QUEUED';
-- Reviews of a contact that is erased, also those that are decided.
create index concurrently if not exists opt_out_reviews_of_contact on opt_out_reviews (workspace_id, contact_id)
  where contact_id is not null;
drop index concurrently if exists opt_out_reviews_contact;
