import type { Executor } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { AccountParts, CarrierAccount, CarrierProvider } from "#src/telephony/carriers/account.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import type { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";
import { CARRIER_PROVIDERS } from "#src/telephony/carriers/registry.ts";
import { openKeys } from "./account-secrets.ts";
import { type CarrierAccountCache, ofAccount } from "./carrier-account-cache.ts";
import { type CarrierAccountRow, findAccount, findAccountAnywhere } from "./store.ts";

/** Dependencies of the cache of accounts. */
export interface CarrierAccountCacheParts {
  db: Executor;
  box: SecretBox;
  /** Dependencies of every account. */
  account: Omit<AccountParts, "deliver" | "media"> & { media: MediaSocketGateway };
  /** Receives the call events that an account emits other than by webhook. */
  deliver: (provider: string, event: CarrierEvent) => void;
  /** The known carriers; those of the registry by default. */
  providers?: readonly CarrierProvider[];
}

type StoredAccount = Omit<CarrierAccountRow, "numbers">;

/** Opened accounts in the cache; the least recently used go first. */
const MAX_OPEN = 1_000;

/**
 * Creates a cache of accounts opened from the database. Each request reads the row and compares it. An unchanged
 * account is kept open, because it may hold tokens and the state of live calls.
 */
export function createCarrierAccountCache(parts: CarrierAccountCacheParts): CarrierAccountCache {
  const kept = new Map<string, { row: StoredAccount; account: CarrierAccount }>();
  const openRow = (row: StoredAccount | undefined): CarrierAccount | null => {
    if (!row) return null;
    const found = kept.get(row.id);
    const account = found && isSame(parts.box, found.row, row) ? found.account : openStored(parts, row);
    kept.delete(row.id);
    if (!account) return null;
    kept.set(row.id, { row, account });
    const [oldest] = kept.keys();
    if (kept.size > MAX_OPEN && oldest !== undefined) kept.delete(oldest);
    return account;
  };
  return {
    open: async (workspaceId, accountId) => openRow(await findAccount(parts.db, workspaceId, accountId)),
    async openForWebhook(provider, accountId) {
      if (!isUuid(accountId)) return null;
      const row = await findAccountAnywhere(parts.db, accountId);
      if (!row || row.provider !== provider.toUpperCase()) return null;
      const account = openRow(row);
      return account && { workspaceId: row.workspace_id, account };
    },
  };
}

/**
 * True when settings and secrets are the same. A new status, label or pace must not open a new account, which would
 * forget transfers under way.
 */
function isSame(box: SecretBox, one: StoredAccount, other: StoredAccount): boolean {
  if (JSON.stringify(one.settings) !== JSON.stringify(other.settings)) return false;
  return one.secrets.equals(other.secrets) || hasSameSecrets(box, one, other);
}

/** Compares opened secrets, because sealing takes a new nonce each time, and every change seals them anew. */
function hasSameSecrets(box: SecretBox, ...rows: StoredAccount[]): boolean {
  try {
    return new Set(rows.map((row) => JSON.stringify(openKeys(box, row).secrets))).size === 1;
  } catch {
    return false;
  }
}

function openStored(parts: CarrierAccountCacheParts, row: StoredAccount): CarrierAccount | null {
  const { id, workspace_id: workspaceId } = row;
  try {
    const provider = (parts.providers ?? CARRIER_PROVIDERS).find((known) => known.name === row.provider);
    if (!provider) throw new Error(`There is no carrier ${row.provider}.`);
    const deliver = (event: CarrierEvent) => parts.deliver(provider.name, ofAccount(id, event));
    const media = parts.account.media.ofAccount(id);
    return provider.open(openKeys(parts.box, row), { ...parts.account, media, deliver });
  } catch (thrown) {
    const error = toError(thrown).message;
    parts.account.log.error("A carrier account does not open.", { workspaceId, accountId: id, error });
    return null;
  }
}
