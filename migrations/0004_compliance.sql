-- Compliance: the do-not-call ledger, doubtful opt-outs, calling windows by the clock of the called person.

-- Numbers that must not be called or written to.
create table do_not_call (
  workspace_id uuid not null references workspaces,
  number text not null,
  source text not null,
  note text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, number)
);

-- Sessions in which somebody may have asked for no more contact, where the do-not-call ledger gives no answer. While a
-- review is OPEN, the person is neither called nor written to (HELD_SQL in src/tenancy/compliance/opt-out-hold.ts).
create table opt_out_reviews (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- CALL: subject_id is the row; CHAT: the session
  subject_type text not null,
  subject_id uuid not null,
  session_id uuid not null,
  -- the person who is held; one of the two is known
  number text,
  contact_id uuid,
  reason text not null,
  language text,
  quotes json not null,
  state text not null default 'OPEN',
  note text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- Read at every dial and message.
create index opt_out_reviews_held on opt_out_reviews (workspace_id, number) where state = 'OPEN';
create index opt_out_reviews_contact on opt_out_reviews (workspace_id, contact_id)
  where state = 'OPEN' and contact_id is not null;
create index opt_out_reviews_state on opt_out_reviews (workspace_id, state, id);
create index opt_out_reviews_subject on opt_out_reviews (workspace_id, subject_id, id);
create index opt_out_reviews_number on opt_out_reviews (workspace_id, number, id);

-- Time zones of a country, one for each clock that runs differently. A number shows its country, not its region, so in
-- a country of several clocks the window must be open by all of them, unless the row names its zone. Uninhabited places
-- and zones that no longer have a clock of their own are left out.
create table country_time_zones (
  country text primary key,
  zones text[] not null
);
insert into country_time_zones (country, zones) values
  ('AC','{Atlantic/St_Helena}'), ('AD','{Europe/Andorra}'), ('AE','{Asia/Dubai}'), ('AF','{Asia/Kabul}'),
  ('AG','{America/Antigua}'), ('AI','{America/Anguilla}'), ('AL','{Europe/Tirane}'), ('AM','{Asia/Yerevan}'),
  ('AO','{Africa/Luanda}'), ('AR','{America/Argentina/Buenos_Aires}'), ('AS','{Pacific/Pago_Pago}'),
  ('AT','{Europe/Vienna}'),
  ('AU','{Australia/Sydney,Australia/Adelaide,Australia/Brisbane,Australia/Darwin,Australia/Eucla,Australia/Lord_Howe,Australia/Perth}'),
  ('AW','{America/Aruba}'), ('AX','{Europe/Mariehamn}'), ('AZ','{Asia/Baku}'), ('BA','{Europe/Sarajevo}'),
  ('BB','{America/Barbados}'), ('BD','{Asia/Dhaka}'), ('BE','{Europe/Brussels}'), ('BF','{Africa/Ouagadougou}'),
  ('BG','{Europe/Sofia}'), ('BH','{Asia/Bahrain}'), ('BI','{Africa/Bujumbura}'), ('BJ','{Africa/Porto-Novo}'),
  ('BL','{America/St_Barthelemy}'), ('BM','{Atlantic/Bermuda}'), ('BN','{Asia/Brunei}'), ('BO','{America/La_Paz}'),
  ('BQ','{America/Kralendijk}'), ('BR','{America/Noronha,America/Sao_Paulo,America/Manaus,America/Rio_Branco}'),
  ('BS','{America/Nassau}'), ('BT','{Asia/Thimphu}'), ('BW','{Africa/Gaborone}'), ('BY','{Europe/Minsk}'),
  ('BZ','{America/Belize}'),
  ('CA','{America/St_Johns,America/Blanc-Sablon,America/Halifax,America/Toronto,America/Atikokan,America/Winnipeg,America/Regina,America/Edmonton,America/Inuvik,America/Whitehorse,America/Vancouver}'),
  ('CC','{Indian/Cocos}'), ('CD','{Africa/Kinshasa,Africa/Lubumbashi}'), ('CF','{Africa/Bangui}'),
  ('CG','{Africa/Brazzaville}'), ('CH','{Europe/Zurich}'), ('CI','{Africa/Abidjan}'), ('CK','{Pacific/Rarotonga}'),
  ('CL','{America/Santiago,America/Punta_Arenas,Pacific/Easter}'), ('CM','{Africa/Douala}'),
  ('CN','{Asia/Shanghai,Asia/Urumqi}'), ('CO','{America/Bogota}'), ('CR','{America/Costa_Rica}'),
  ('CU','{America/Havana}'), ('CV','{Atlantic/Cape_Verde}'), ('CW','{America/Curacao}'), ('CX','{Indian/Christmas}'),
  ('CY','{Asia/Nicosia}'), ('CZ','{Europe/Prague}'), ('DE','{Europe/Berlin}'), ('DJ','{Africa/Djibouti}'),
  ('DK','{Europe/Copenhagen}'), ('DM','{America/Dominica}'), ('DO','{America/Santo_Domingo}'),
  ('DZ','{Africa/Algiers}'), ('EC','{America/Guayaquil,Pacific/Galapagos}'), ('EE','{Europe/Tallinn}'),
  ('EG','{Africa/Cairo}'), ('EH','{Africa/El_Aaiun}'), ('ER','{Africa/Asmara}'),
  ('ES','{Europe/Madrid,Atlantic/Canary}'), ('ET','{Africa/Addis_Ababa}'), ('FI','{Europe/Helsinki}'),
  ('FJ','{Pacific/Fiji}'), ('FK','{Atlantic/Stanley}'), ('FM','{Pacific/Pohnpei,Pacific/Chuuk}'),
  ('FO','{Atlantic/Faroe}'), ('FR','{Europe/Paris}'), ('GA','{Africa/Libreville}'), ('GB','{Europe/London}'),
  ('GD','{America/Grenada}'), ('GE','{Asia/Tbilisi}'), ('GF','{America/Cayenne}'), ('GG','{Europe/Guernsey}'),
  ('GH','{Africa/Accra}'), ('GI','{Europe/Gibraltar}'), ('GL','{America/Nuuk,America/Danmarkshavn,America/Thule}'),
  ('GM','{Africa/Banjul}'), ('GN','{Africa/Conakry}'), ('GP','{America/Guadeloupe}'), ('GQ','{Africa/Malabo}'),
  ('GR','{Europe/Athens}'), ('GT','{America/Guatemala}'), ('GU','{Pacific/Guam}'), ('GW','{Africa/Bissau}'),
  ('GY','{America/Guyana}'), ('HK','{Asia/Hong_Kong}'), ('HN','{America/Tegucigalpa}'), ('HR','{Europe/Zagreb}'),
  ('HT','{America/Port-au-Prince}'), ('HU','{Europe/Budapest}'), ('ID','{Asia/Jakarta,Asia/Makassar,Asia/Jayapura}'),
  ('IE','{Europe/Dublin}'), ('IL','{Asia/Jerusalem}'), ('IM','{Europe/Isle_of_Man}'), ('IN','{Asia/Kolkata}'),
  ('IO','{Indian/Chagos}'), ('IQ','{Asia/Baghdad}'), ('IR','{Asia/Tehran}'), ('IS','{Atlantic/Reykjavik}'),
  ('IT','{Europe/Rome}'), ('JE','{Europe/Jersey}'), ('JM','{America/Jamaica}'), ('JO','{Asia/Amman}'),
  ('JP','{Asia/Tokyo}'), ('KE','{Africa/Nairobi}'), ('KG','{Asia/Bishkek}'), ('KH','{Asia/Phnom_Penh}'),
  ('KI','{Pacific/Tarawa,Pacific/Kiritimati,Pacific/Fakaofo}'), ('KM','{Indian/Comoro}'), ('KN','{America/St_Kitts}'),
  ('KP','{Asia/Pyongyang}'), ('KR','{Asia/Seoul}'), ('KW','{Asia/Kuwait}'), ('KY','{America/Cayman}'),
  ('KZ','{Asia/Almaty,Asia/Aqtau}'), ('LA','{Asia/Vientiane}'), ('LB','{Asia/Beirut}'), ('LC','{America/St_Lucia}'),
  ('LI','{Europe/Vaduz}'), ('LK','{Asia/Colombo}'), ('LR','{Africa/Monrovia}'), ('LS','{Africa/Maseru}'),
  ('LT','{Europe/Vilnius}'), ('LU','{Europe/Luxembourg}'), ('LV','{Europe/Riga}'), ('LY','{Africa/Tripoli}'),
  ('MA','{Africa/Casablanca}'), ('MC','{Europe/Monaco}'), ('MD','{Europe/Chisinau}'), ('ME','{Europe/Podgorica}'),
  ('MF','{America/Marigot}'), ('MG','{Indian/Antananarivo}'), ('MH','{Pacific/Majuro}'), ('MK','{Europe/Skopje}'),
  ('ML','{Africa/Bamako}'), ('MM','{Asia/Yangon}'), ('MN','{Asia/Ulaanbaatar,Asia/Hovd}'), ('MO','{Asia/Macau}'),
  ('MP','{Pacific/Saipan}'), ('MQ','{America/Martinique}'), ('MR','{Africa/Nouakchott}'),
  ('MS','{America/Montserrat}'), ('MT','{Europe/Malta}'), ('MU','{Indian/Mauritius}'), ('MV','{Indian/Maldives}'),
  ('MW','{Africa/Blantyre}'),
  ('MX','{America/Cancun,America/Mexico_City,America/Matamoros,America/Hermosillo,America/Denver,America/Tijuana}'),
  ('MY','{Asia/Kuala_Lumpur}'), ('MZ','{Africa/Maputo}'), ('NA','{Africa/Windhoek}'), ('NC','{Pacific/Noumea}'),
  ('NE','{Africa/Niamey}'), ('NF','{Pacific/Norfolk}'), ('NG','{Africa/Lagos}'), ('NI','{America/Managua}'),
  ('NL','{Europe/Amsterdam}'), ('NO','{Europe/Oslo}'), ('NP','{Asia/Kathmandu}'), ('NR','{Pacific/Nauru}'),
  ('NU','{Pacific/Niue}'), ('NZ','{Pacific/Auckland,Pacific/Chatham}'), ('OM','{Asia/Muscat}'),
  ('PA','{America/Panama}'), ('PE','{America/Lima}'), ('PF','{Pacific/Tahiti,Pacific/Marquesas,Pacific/Gambier}'),
  ('PG','{Pacific/Port_Moresby,Pacific/Bougainville}'), ('PH','{Asia/Manila}'), ('PK','{Asia/Karachi}'),
  ('PL','{Europe/Warsaw}'), ('PM','{America/Miquelon}'), ('PR','{America/Puerto_Rico}'), ('PS','{Asia/Gaza}'),
  ('PT','{Europe/Lisbon,Atlantic/Azores}'), ('PW','{Pacific/Palau}'), ('PY','{America/Asuncion}'),
  ('QA','{Asia/Qatar}'), ('RE','{Indian/Reunion}'), ('RO','{Europe/Bucharest}'), ('RS','{Europe/Belgrade}'),
  ('RU','{Europe/Kaliningrad,Europe/Moscow,Europe/Samara,Asia/Yekaterinburg,Asia/Omsk,Asia/Novosibirsk,Asia/Irkutsk,Asia/Yakutsk,Asia/Vladivostok,Asia/Magadan,Asia/Kamchatka}'),
  ('RW','{Africa/Kigali}'), ('SA','{Asia/Riyadh}'), ('SB','{Pacific/Guadalcanal}'), ('SC','{Indian/Mahe}'),
  ('SD','{Africa/Khartoum}'), ('SE','{Europe/Stockholm}'), ('SG','{Asia/Singapore}'), ('SH','{Atlantic/St_Helena}'),
  ('SI','{Europe/Ljubljana}'), ('SJ','{Arctic/Longyearbyen}'), ('SK','{Europe/Bratislava}'),
  ('SL','{Africa/Freetown}'), ('SM','{Europe/San_Marino}'), ('SN','{Africa/Dakar}'), ('SO','{Africa/Mogadishu}'),
  ('SR','{America/Paramaribo}'), ('SS','{Africa/Juba}'), ('ST','{Africa/Sao_Tome}'), ('SV','{America/El_Salvador}'),
  ('SX','{America/Lower_Princes}'), ('SY','{Asia/Damascus}'), ('SZ','{Africa/Mbabane}'),
  ('TA','{Atlantic/St_Helena}'), ('TC','{America/Grand_Turk}'), ('TD','{Africa/Ndjamena}'), ('TG','{Africa/Lome}'),
  ('TH','{Asia/Bangkok}'), ('TJ','{Asia/Dushanbe}'), ('TK','{Pacific/Fakaofo}'), ('TL','{Asia/Dili}'),
  ('TM','{Asia/Ashgabat}'), ('TN','{Africa/Tunis}'), ('TO','{Pacific/Tongatapu}'), ('TR','{Europe/Istanbul}'),
  ('TT','{America/Port_of_Spain}'), ('TV','{Pacific/Funafuti}'), ('TW','{Asia/Taipei}'),
  ('TZ','{Africa/Dar_es_Salaam}'), ('UA','{Europe/Kyiv,Europe/Simferopol}'), ('UG','{Africa/Kampala}'),
  ('US','{America/New_York,America/Chicago,America/Denver,America/Phoenix,America/Los_Angeles,America/Anchorage,America/Adak,Pacific/Honolulu}'),
  ('UY','{America/Montevideo}'), ('UZ','{Asia/Tashkent}'), ('VA','{Europe/Vatican}'), ('VC','{America/St_Vincent}'),
  ('VE','{America/Caracas}'), ('VG','{America/Tortola}'), ('VI','{America/St_Thomas}'), ('VN','{Asia/Ho_Chi_Minh}'),
  ('VU','{Pacific/Efate}'), ('WF','{Pacific/Wallis}'), ('WS','{Pacific/Apia}'), ('XK','{Europe/Belgrade}'),
  ('YE','{Asia/Aden}'), ('YT','{Indian/Mayotte}'), ('ZA','{Africa/Johannesburg}'), ('ZM','{Africa/Lusaka}'),
  ('ZW','{Africa/Harare}');

-- Returns the zones by whose clocks a row is judged; null when they cannot be determined.
create function calling_zones(rules jsonb, row_zone text, row_country text) returns text[]
language sql stable as $$
  select case
    when rules ->> 'timeZoneMode' = 'FIXED' then array[rules ->> 'timeZone']
    when row_zone is not null then array[row_zone]
    else (select zones from country_time_zones where country = row_country)
  end
$$;

-- Returns whether the window is open at an instant by the clocks of all its zones: true, false, or null when that
-- cannot be determined (a zone that this database does not know). Only true lets a call out.
create function is_calling_window_open(rules jsonb, row_zone text, row_country text, instant timestamptz) returns boolean
language plpgsql stable as $$
begin
  return (
    select bool_and(
        not rules -> 'excludeDates' ? to_char(c.clock, 'YYYY-MM-DD')
        and exists (
          select 1 from jsonb_array_elements(rules -> 'windows') w
           where w -> 'days' ? (array['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'])[extract(isodow from c.clock)::int]
             and to_char(c.clock, 'HH24:MI') collate "C" >= w ->> 'start'
             and to_char(c.clock, 'HH24:MI') collate "C" < w ->> 'end'))
      from unnest(calling_zones(rules, row_zone, row_country)) z
     cross join lateral (select instant at time zone z as clock) c);
exception when others then
  return null;
end
$$;

-- Returns when the called person's day began, the earliest of the clocks that may be theirs; null when that cannot be
-- determined.
create function person_day_began(row_zone text, row_country text, instant timestamptz) returns timestamptz
language plpgsql stable as $$
begin
  return (
    select min(date_trunc('day', instant at time zone z) at time zone z)
      from unnest(calling_zones('{}', row_zone, row_country)) z);
exception when others then
  return null;
end
$$;
