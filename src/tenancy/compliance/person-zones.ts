import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { isTimeZone } from "#src/platform/kernel/time-zones.ts";
import { classifyNumber } from "./numbers.ts";

/** A person of a workspace, as far as their time zone can be known. */
export interface ZonedPerson {
  workspaceId: string;
  /** IANA name, as sent with the call; null when none was. */
  timeZone: string | null;
  /** E.164; null for a person without a number. */
  phone: string | null;
}

/** The zone by whose clock a person is spoken to. */
export interface PersonZone {
  /** IANA name. */
  name: string;
  /** True when it is the workspace's zone, for want of a better one. */
  isAssumed: boolean;
}

/**
 * Returns the time zones of people in their order: the one sent with the call, else the only one of their number's
 * country, else the workspace's.
 */
export async function findPersonZones(db: Executor, people: ZonedPerson[]): Promise<PersonZone[]> {
  if (people.every(({ timeZone }) => timeZone !== null && isTimeZone(timeZone)))
    return people.map(({ timeZone }) => ({ name: timeZone as string, isAssumed: false }));
  const workspaces = people.map(({ workspaceId }) => workspaceId);
  const countries = people.map(({ phone }) => (phone === null ? "ZZ" : classifyNumber(phone).country));
  const rows = await all<{ time_zone: string | null; zones: string[] | null }>(
    db,
    sql`select w.time_zone, c.zones
          from unnest(${workspaces}::uuid[], ${countries}::text[]) with ordinality as p(workspace, country, n)
          left join workspaces w on w.id = p.workspace
          left join country_time_zones c on c.country = p.country
         order by p.n`,
  );
  return people.map(({ timeZone }, i) => zoneOf(timeZone, rows[i]?.zones ?? [], rows[i]?.time_zone ?? "UTC"));
}

function zoneOf(sent: string | null, ofCountry: string[], ofWorkspace: string): PersonZone {
  if (sent !== null && isTimeZone(sent)) return { name: sent, isAssumed: false };
  const [only] = ofCountry;
  if (only !== undefined && ofCountry.length === 1) return { name: only, isAssumed: false };
  return { name: isTimeZone(ofWorkspace) ? ofWorkspace : "UTC", isAssumed: true };
}
