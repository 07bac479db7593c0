import { createHmac } from "node:crypto";
import type { Inbox } from "#src/interactions/dispatch/inbox.ts";
import type { CarrierAccountParts } from "#src/numbers/carrier-accounts/account-input.ts";
import type { CarrierAccountCache } from "#src/numbers/carrier-accounts/carrier-account-cache.ts";
import { createCarrierAccountCache } from "#src/numbers/carrier-accounts/open-accounts.ts";
import type { Database } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { FarNode } from "#src/platform/kernel/node-identity.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";
import type { FindMessenger } from "#src/telephony/messaging/messenger.ts";
import { createFindMessenger } from "./chats.ts";
import type { Core } from "./core.ts";

/** Dependencies of the carriers' accounts. */
interface AccountContext extends Core {
  inbox: Inbox;
}

/** Carriers with accounts. */
export interface AccountParts {
  /** The carriers' accounts. */
  accounts: CarrierAccountCache;
  /** Dependencies for opening and checking them. */
  carrierAccountParts: CarrierAccountParts;
  /** Gateway for call audio that carriers deliver over WebSockets. */
  carrierMedia: MediaSocketGateway;
  /** Returns the messenger of a chat. */
  findMessenger: FindMessenger;
}

/** Opens the carriers' accounts, their messengers and the gateway for their audio. */
export function openAccountParts(context: AccountContext): AccountParts {
  const { box, safeFetch, publicUrl, log, keys, node } = context;
  const database = context.databases.dispatch;
  const mediaKeys = () => keys.all.map((key) => createHmac("sha256", key).update("carrier media").digest());
  const nodes = { self: node, find: (id: string) => findNode(database, id) };
  const carrierMedia = new MediaSocketGateway({ publicUrl, keys: mediaKeys, nodes });
  const account = { fetch: safeFetch, publicUrl, media: carrierMedia, log, now: nowMs };
  const carrierAccountParts: CarrierAccountParts = { db: database.db, box, account };
  const accounts = openAccounts(context, carrierAccountParts);
  return { accounts, carrierAccountParts, carrierMedia, findMessenger: createFindMessenger(database, accounts) };
}

async function findNode({ pool }: Database, id: string): Promise<FarNode | null> {
  const { rows } = await pool.query<FarNode>(
    "select id, address from nodes where id = $1 and alive_until > now() and address is not null",
    [id],
  );
  return rows[0] ?? null;
}

function openAccounts({ log, inbox }: AccountContext, gateway: CarrierAccountParts): CarrierAccountCache {
  const deliver = (provider: string, event: CarrierEvent): void => {
    // The event is not repeated, but the carrier's own event follows, and a look-up when it does not.
    inbox.receive(provider, event).catch((error: unknown) => {
      log.warn("What a carrier told could not be stored.", { error: toError(error).message });
    });
  };
  return createCarrierAccountCache({ ...gateway, deliver });
}
