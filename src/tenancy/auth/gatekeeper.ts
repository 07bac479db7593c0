import type pg from "pg";
import { NOT_FLUSHED } from "#src/platform/db/database.ts";
import type { Admission, Gatekeeper, Presented, Refusal } from "#src/platform/http/admission.ts";
import type { Caller } from "#src/platform/http/route.ts";
import { plainAddress, networkOf } from "#src/platform/kernel/addresses.ts";
import { MicroBatch } from "#src/platform/kernel/async.ts";
import { sha256 } from "#src/platform/kernel/id.ts";
import { isWellFormedKey } from "./credentials.ts";
import { EmptyBuckets } from "./empty-buckets.ts";
import type { RefusedUse } from "./refused-uses.ts";

/** Bucket of an address, from which requests without a valid credential draw: 600 in 60 s. */
const ADDRESS_CAPACITY = 600;
const ADDRESS_PER_SECOND = 10;

/**
 * Credential, permissions and token bucket in one statement for all requests that wait in this process. A crash restores
 * less than a second of rate-limit tokens, and one decision costs no disk flush. It is exact
 * across nodes, and requests of one hot credential do not queue on its row. The row is read after the request arrived,
 * so a revocation or a reduced permission applies to the very next request. A credential that has expired or is used
 * from elsewhere is found, but neither draws nor counts as used. $1 digests, $2 KEY or TOKEN, $3 tokens asked for, $4
 * addresses of the clients.
 */
const ADMIT = `
with ${NOT_FLUSHED},
req as (
  select u.* from not_flushed cross join
    unnest($1::bytea[], $2::text[], $3::int[], $4::inet[]) with ordinality as u(k, kind, n, address, place)
),
found as materialized (
  select r.place, r.n, r.address, c.workspace_id, c.id from req r join credentials c on c.secret_hash = r.k
   where r.kind = 'KEY' and c.kind = 'API_KEY'
  union all
  select r.place, r.n, r.address, t.workspace_id, t.credential_id from req r join access_tokens t on t.token_hash = r.k
   where r.kind = 'TOKEN' and t.expires_at > now()
),
who as materialized (
  select f.*, case when c.expires_at <= now() then 'EXPIRED'
                   when not coalesce(f.address <<= any (c.allowed_addresses), c.allowed_addresses is null)
                   then 'ADDRESS' end as refusal
    from found f join credentials c using (workspace_id, id) where c.revoked_at is null
),
asked as (
  select workspace_id, id, sum(n)::int as n, max(address) as address from who where refusal is null group by 1, 2
),
locked as materialized (
  select c.workspace_id, c.id, c.tokens, c.refilled_at, a.n, a.address, clock_timestamp() as at,
         w.rate_capacity as capacity, w.rate_refill / w.rate_period_seconds as per_second
    from credentials c join asked a using (workspace_id, id) join workspaces w on w.id = c.workspace_id
   where c.revoked_at is null
   order by c.id for update of c
),
levels as materialized (
  select *, least(capacity, tokens + greatest(0, extract(epoch from at - refilled_at)) * per_second) as level from locked
),
drawn as (
  update credentials c
     set granted = least(l.n, floor(l.level))::int,
         tokens = l.level - least(l.n, floor(l.level)),
         refilled_at = greatest(l.refilled_at, l.at),
         last_used_address = coalesce(l.address, c.last_used_address)
    from levels l
   where c.workspace_id = l.workspace_id and c.id = l.id
  returning c.workspace_id, c.id, c.kind, c.permissions, c.granted, c.tokens, l.capacity, l.per_second
)
select who.place::int, who.refusal, who.workspace_id, who.id, d.kind, d.permissions, d.granted, d.tokens, d.capacity,
       d.per_second
  from who left join drawn d using (workspace_id, id) where who.refusal is not null or d.id is not null`;

/**
 * Draws from the buckets of addresses, and creates missing ones. $1 addresses, $2 tokens asked for, $3 capacity, $4
 * refill per second.
 */
const ADMIT_ADDRESS = `
with ${NOT_FLUSHED}
insert into address_buckets as b (address, granted, tokens, refilled_at)
select a, least(n, $3::float8)::int, greatest(0, $3::float8 - n), clock_timestamp()
  from not_flushed cross join unnest($1::text[], $2::int[]) as u(a, n) order by a
on conflict (address) do update set
  granted = least(excluded.granted,
    floor(least($3::float8, b.tokens + greatest(0, extract(epoch from excluded.refilled_at - b.refilled_at)) * $4::float8)))::int,
  tokens = least($3::float8, b.tokens + greatest(0, extract(epoch from excluded.refilled_at - b.refilled_at)) * $4::float8)
    - least(excluded.granted,
    floor(least($3::float8, b.tokens + greatest(0, extract(epoch from excluded.refilled_at - b.refilled_at)) * $4::float8)))::int,
  refilled_at = greatest(b.refilled_at, excluded.refilled_at)
returning b.address, b.granted, b.tokens`;

interface Ask {
  /** Digest in hex, or the address. */
  name: string;
  kind: "KEY" | "TOKEN" | "ADDRESS";
  /** Address of the client as the database compares it; null when it is none. */
  from: string | null;
  draw: boolean;
}

interface DrawnRow {
  /** Place of the request in the statement, from 1. */
  place: number;
  /** Null: the credential is accepted. The columns of the bucket are null otherwise. */
  refusal: RefusedUse["reason"] | null;
  workspace_id: string;
  id: string;
  kind: "API_KEY" | "OAUTH_CLIENT";
  permissions: string[];
  granted: number;
  tokens: number;
  capacity: number;
  per_second: number;
}

/** Answers to a client whose credential is refused. */
const REFUSALS: Record<RefusedUse["reason"], Refusal> = {
  EXPIRED: {
    code: "UNAUTHORIZED",
    message: "This credential has expired. Ask an owner of the workspace for a new one.",
  },
  ADDRESS: { code: "FORBIDDEN", message: "This credential may not be used from your address." },
};

/** Requests that one statement admits, and such statements at once: the pool of admissions has as many connections. */
const MOST_ASKS = 500;
const BATCHES = 3;

/** A statement locks the buckets of its credentials or addresses. */
const nameOf = ({ name }: Ask) => name;

/**
 * Builds the gatekeeper of a process on the pool of admissions. `onRefused` is called for each request whose credential
 * has expired or is used from elsewhere.
 */
export function createGatekeeper(pool: pg.Pool, onRefused: (use: RefusedUse) => void): Gatekeeper {
  const credentials = new MicroBatch((asks: Ask[]) => admitCredentials(pool, asks), MOST_ASKS, BATCHES, nameOf);
  const addresses = new MicroBatch((asks: Ask[]) => admitAddresses(pool, asks), MOST_ASKS, BATCHES, nameOf);
  const empty = new EmptyBuckets();

  /** Asks the database unless the bucket is known to be empty. */
  async function take<Taken extends Decision | null>(batch: MicroBatch<Ask, Taken>, ask: Ask) {
    const key = keyOf(ask);
    const refusal = ask.draw ? empty.find(key) : undefined;
    if (refusal) return refusal;
    const since = performance.now();
    const taken = await batch.add(ask);
    if (taken && !("reason" in taken)) empty.keep(key, taken, since);
    return taken;
  }

  return {
    async admit(presented: Presented, address: string, draw: boolean): Promise<Admission> {
      const ask = readAsk(presented, address, draw);
      const decision = ask ? await take(credentials, ask) : null;
      if (decision && !("reason" in decision)) return decision;
      const admission = await take(addresses, { name: networkOf(address), kind: "ADDRESS", from: null, draw });
      if (!decision) return admission;
      onRefused({ ...decision, address });
      return { ...admission, refusal: REFUSALS[decision.reason] };
    },
  };
}

type Decision = Admission | Omit<RefusedUse, "address">;

/** Returns the look-up for a request, or null when it carries no credential that could be valid. */
function readAsk({ apiKey, bearer }: Presented, address: string, draw: boolean): Ask | null {
  const rest = { from: plainAddress(address), draw };
  if (apiKey !== undefined) {
    return isWellFormedKey(apiKey) ? { name: sha256(apiKey).toString("hex"), kind: "KEY", ...rest } : null;
  }
  if (!bearer || bearer.length > 200) return null;
  return { name: sha256(bearer).toString("hex"), kind: "TOKEN", ...rest };
}

/** Joins the requests of one credential from one address. */
function countAsks(asks: Ask[]): Map<string, Ask & { drawn: number }> {
  const counts = new Map<string, Ask & { drawn: number }>();
  for (const ask of asks) {
    const key = keyOf(ask);
    const entry = counts.get(key) ?? { ...ask, drawn: 0 };
    if (ask.draw) entry.drawn++;
    counts.set(key, entry);
  }
  return counts;
}

function keyOf({ name, from }: Ask): string {
  return `${name}|${from}`;
}

async function admitCredentials(pool: pg.Pool, asks: Ask[]): Promise<(Decision | null)[]> {
  const counts = countAsks(asks);
  const entries = [...counts.values()];
  const values = [
    entries.map((entry) => Buffer.from(entry.name, "hex")),
    entries.map((entry) => entry.kind),
    entries.map((entry) => entry.drawn),
    entries.map((entry) => entry.from),
  ];
  const found = await pool.query<DrawnRow>({ name: "admit", text: ADMIT, values });
  const rows = new Map(found.rows.map((row) => [keyOf(entries[row.place - 1] as Ask), row]));
  const callers = new Map<string, Caller>();
  const used = new Map<string, number>();
  return asks.map((ask) => {
    const row = rows.get(keyOf(ask));
    if (!row) return null;
    if (row.refusal !== null) return { workspaceId: row.workspace_id, credentialId: row.id, reason: row.refusal };
    const position = used.get(row.id) ?? 0;
    if (ask.draw) used.set(row.id, position + 1);
    const caller = callers.get(row.id) ?? toCaller(row);
    callers.set(row.id, caller);
    return toAdmission(caller, row, position, ask.draw, row.capacity, row.per_second);
  });
}

async function admitAddresses(pool: pg.Pool, asks: Ask[]): Promise<Admission[]> {
  const entries = [...countAsks(asks).values()];
  const found = await pool.query<{ address: string; granted: number; tokens: number }>({
    name: "admit-address",
    text: ADMIT_ADDRESS,
    values: [
      entries.map((entry) => entry.name),
      entries.map((entry) => entry.drawn),
      ADDRESS_CAPACITY,
      ADDRESS_PER_SECOND,
    ],
  });
  const rows = new Map(found.rows.map((row) => [row.address, row]));
  const used = new Map<string, number>();
  return asks.map((ask) => {
    const row = rows.get(ask.name) ?? { granted: 0, tokens: 0 };
    const position = used.get(ask.name) ?? 0;
    if (ask.draw) used.set(ask.name, position + 1);
    return toAdmission(null, row, position, ask.draw, ADDRESS_CAPACITY, ADDRESS_PER_SECOND);
  });
}

function toCaller(row: DrawnRow): Caller {
  return {
    workspaceId: row.workspace_id,
    credentialId: row.id,
    kind: row.kind,
    permissions: new Set(row.permissions),
  };
}

/** Returns one request's share of its batch's grant: the first `granted` of them pass. */
function toAdmission(
  caller: Caller | null,
  row: { granted: number; tokens: number },
  position: number,
  draw: boolean,
  capacity: number,
  perSecond: number,
): Admission {
  const allowed = !draw || position < row.granted;
  const behind = Math.max(0, row.granted - position - (draw ? 1 : 0));
  const level = row.tokens + behind;
  return {
    caller,
    allowed,
    limit: Math.floor(capacity),
    remaining: Math.max(0, Math.floor(level)),
    resetSeconds: Math.max(0, (capacity - level) / perSecond),
    nextTokenSeconds: Math.max(0, (1 - level) / perSecond),
  };
}
