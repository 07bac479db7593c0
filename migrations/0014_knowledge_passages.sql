-- Where a passage stands in its document. What is searched of it (search_text) holds the headings above it too.
alter table knowledge_chunks
  add column headings text[] not null default '{}',
  add column page integer;
