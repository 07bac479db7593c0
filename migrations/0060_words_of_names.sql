-- Words of names, for less. A strict function that is none by itself is called for each word and each name; these are
-- put into the statement that needs them. A name without accents, as nearly all are, is cut without a pattern.
create or replace function search_word(word text) returns text language sql immutable parallel safe as $$
  select left(case when octet_length(word) = length(word) then lower(word)
    else regexp_replace(lower(normalize(word, NFKD)), '[\u0300-\u036f]', '', 'g') end, 60)
$$;

-- Returns the words of a name, some perhaps twice.
create function words_of_name(name text) returns setof text language sql immutable parallel safe rows 3 as $$
  select search_word(word) from string_to_table(
    case when octet_length(name) = length(name) then translate(name, E'\t\n\v\f\r.,;:()"''/_-', repeat(' ', 16))
      else regexp_replace(name, '[[:space:].,;:()"''/_-]+', ' ', 'g') end, ' ') as word where word <> ''
$$;

create or replace function name_words(name text) returns setof text language sql immutable parallel safe rows 3 as $$
  select distinct word from words_of_name(name) as word
$$;
