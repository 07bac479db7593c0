-- Where the file of a recording is. FOLDER: in the folder of recordings that all nodes see. SPOOL: in the folder of the
-- installation `spooled_by`, which moves it to the bucket. BUCKET: there.
alter table call_recordings
  add column store text not null default 'FOLDER',
  add column spooled_by uuid,
  -- why a recording is FAILED: STORAGE_FULL, STORAGE_READ_ONLY, STORAGE_SLOW, STORAGE_FAILED, INTERRUPTED
  add column failure_code text;
