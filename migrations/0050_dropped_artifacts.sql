-- Artifacts that are gone, until their pieces are deleted, too: one has up to 512 MiB, which no statement deletes at once.
create table dropped_artifacts (
  workspace_id uuid not null,
  artifact_id uuid not null,
  primary key (workspace_id, artifact_id)
);
