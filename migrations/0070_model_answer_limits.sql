-- How long a configured model's answers may be, and how hard it thinks before them. Null: as its family needs.
alter table language_models
  add column max_output_tokens integer check (max_output_tokens between 64 and 200000),
  add column reasoning_effort text
    check (reasoning_effort in ('none', 'minimal', 'low', 'medium', 'high', 'xhigh'));
