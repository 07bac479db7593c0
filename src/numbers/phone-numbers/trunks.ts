import { all, type Executor, sql } from "#src/platform/db/database.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { SipTrunkKeys } from "#src/telephony/carriers/sip/trunk.ts";
import { type SipTrunk, trunkPasswordPlace } from "./sip-trunk.ts";

/** Dependencies for reading trunks. */
export interface TrunkParts {
  db: Executor;
  box: SecretBox;
}

interface TrunkRow {
  workspace_id: string;
  id: string;
  number: string;
  sip_trunk: SipTrunk;
  sip_secret: Buffer | null;
}

/**
 * Returns the trunks of all LIVE workspaces, or of one number, with their secrets. Those of suspended numbers are
 * included, because a new registration shows whether the trunk works again. Throws a SecretBoxError when a password
 * does not open.
 */
export async function readTrunks({ db, box }: TrunkParts, phoneNumberId: string | null): Promise<SipTrunkKeys[]> {
  const rows = await all<TrunkRow>(
    db,
    sql`select p.workspace_id, p.id, p.number, p.sip_trunk, p.sip_secret
          from phone_numbers p join workspaces w on w.id = p.workspace_id
         where p.provider = 'BYO_SIP' and w.mode = 'LIVE' and p.status in ('ACTIVE', 'SUSPENDED')
           and p.sip_trunk is not null and (${phoneNumberId}::uuid is null or p.id = ${phoneNumberId}::uuid)
         order by p.id`,
  );
  return rows.map((row) => toKeys(box, row));
}

function toKeys(box: SecretBox, row: TrunkRow): SipTrunkKeys {
  const { workspace_id: workspaceId, id, number, sip_trunk: trunk, sip_secret: secret } = row;
  const password = secret === null ? null : box.open(secret, trunkPasswordPlace(workspaceId, id));
  return { id, workspaceId, number, settings: { ...trunk, password } };
}
