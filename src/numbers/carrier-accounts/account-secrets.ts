import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { sealedColumn } from "#src/platform/secrets/sealed-column.ts";
import type { AccountKeys } from "#src/telephony/carriers/account.ts";
import type { CarrierAccountRow } from "./store.ts";

/** Context under which an account's secrets are sealed; copied to another row they do not open. */
function secretsPlace(workspaceId: string, id: string): string {
  return `${workspaceId}|carrier_accounts|secrets|${id}`;
}

/** Secrets of accounts, as they are stored. */
export const SEALED_ACCOUNTS = sealedColumn("carrier accounts", "carrier_accounts", "secrets", secretsPlace);

/** Seals all secrets of an account together. */
export function sealSecrets(box: SecretBox, { workspaceId, id, secrets }: AccountKeys): Buffer {
  return box.seal(JSON.stringify(secrets), secretsPlace(workspaceId, id));
}

/**
 * Opens a stored account's settings and secrets. Throws a SecretBoxError when they were sealed with another server key.
 */
export function openKeys(
  box: SecretBox,
  row: Pick<CarrierAccountRow, "workspace_id" | "id" | "settings" | "secrets">,
): AccountKeys {
  const { workspace_id: workspaceId, id, settings } = row;
  const secrets = JSON.parse(box.open(row.secrets, secretsPlace(workspaceId, id))) as Record<string, string>;
  return { workspaceId, id, settings, secrets };
}
