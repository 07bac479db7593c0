import type { CarrierAccount } from "#src/telephony/carriers/account.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";

/** An event under a key that is its account's: none can take the keys of another's events. */
export function ofAccount(accountId: string, event: CarrierEvent): CarrierEvent {
  return { ...event, eventKey: `${accountId}|${event.eventKey}` };
}

/** The accounts of all workspaces, opened when they are needed and as they are now. */
export interface CarrierAccountCache {
  /** Null: there is no such account in the workspace, or its secrets do not open. */
  open(workspaceId: string, accountId: string): Promise<CarrierAccount | null>;
  /** The account that a webhook names, which tells no workspace. */
  openForWebhook(provider: string, accountId: string): Promise<{ workspaceId: string; account: CarrierAccount } | null>;
}
