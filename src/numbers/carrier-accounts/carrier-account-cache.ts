import type { CarrierAccount } from "#src/telephony/carriers/account.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";

/** Prefixes an event's key with its account, so that no account can use the keys of another one's events. */
export function ofAccount(accountId: string, event: CarrierEvent): CarrierEvent {
  return { ...event, eventKey: `${accountId}|${event.eventKey}` };
}

/** The accounts of all workspaces, opened on demand in their current version. */
export interface CarrierAccountCache {
  /** Null when the workspace has no such account, or when its secrets do not open. */
  open(workspaceId: string, accountId: string): Promise<CarrierAccount | null>;
  /** Opens the account that a webhook names, without knowing its workspace. */
  openForWebhook(provider: string, accountId: string): Promise<{ workspaceId: string; account: CarrierAccount } | null>;
}
