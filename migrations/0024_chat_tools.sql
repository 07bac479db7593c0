-- What a reader of a chat sees of a tool's call: FULL, NAME_ONLY or HIDDEN. The agent remembers all of it.
alter table chat_messages add column disclosure text not null default 'FULL';
-- Passages of the knowledge base behind an answer.
alter table chat_messages add column citations json;
