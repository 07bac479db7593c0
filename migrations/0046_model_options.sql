-- Models at Azure OpenAI and Amazon Bedrock, and what a server wants beside the usual request.
alter table language_models
  -- Amazon Bedrock: region; and the access key whose secret api_key is, null for a Bedrock API key
  add column region text,
  add column access_key_id text,
  -- sealed JSON: headers by name; and their names, for readers
  add column headers bytea,
  add column header_names text[] not null default '{}',
  -- members of each request's body
  add column extra_body json;
