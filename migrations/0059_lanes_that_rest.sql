-- A lane without a due row rests: the claim does not look at it before `next_look_at`. Whatever makes a row due wakes
-- its lane (wakeLanes in src/interactions/calls/store.ts). Servers before this version look at every open lane.
alter table lanes add column next_look_at timestamptz not null default '-infinity';
