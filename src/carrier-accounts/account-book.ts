import type { CarrierAccount } from "#src/carriers/account.ts";

/** The accounts of all workspaces, opened when they are needed and as they are now. */
export interface AccountBook {
  /** Null: there is no such account in the workspace, or its secrets do not open. */
  open(workspaceId: string, accountId: string): Promise<CarrierAccount | null>;
  /** The account that a webhook names, which tells no workspace. */
  openForWebhook(provider: string, accountId: string): Promise<{ workspaceId: string; account: CarrierAccount } | null>;
}
