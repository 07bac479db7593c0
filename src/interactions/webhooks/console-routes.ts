import type { Executor } from "#src/platform/db/database.ts";
import { DELIVERIES_WRITE, WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { pageQuery, readPage } from "#src/platform/http/paging.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import {
  DELIVERY_STATES,
  DeliveryDetail,
  DeliveryPage,
  getDeliveries,
  getDelivery,
  redeliver,
  WebhookDelivery,
} from "./deliveries.ts";

const PATH = `${WORKSPACE_PATH}/webhook-deliveries`;
const common = { audience: "console", access: [WORKSPACE_READ], tag: "Webhook deliveries" } as const;
const params = Type.Object({ workspaceId: Uuid, deliveryId: Uuid });

/** Dependencies of the delivery routes. */
export interface DeliveryRoutesContext {
  publicUrl: string;
  /** Wakes the task worker of this process. */
  wake(): void;
}

/** Routes of webhook deliveries: their attempts, and redelivery. */
export function deliveryRoutes(db: Executor, context: DeliveryRoutesContext): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      summary: "List deliveries of webhooks, newest first; DEAD are those given up",
      params: Type.Object({ workspaceId: Uuid }),
      query: Type.Object({ ...pageQuery, status: Type.Optional(oneOf(DELIVERY_STATES)), rowId: Type.Optional(Uuid) }),
      replies: { 200: DeliveryPage },
      run: ({ caller, query }) => getDeliveries(db, caller.workspaceId, readPage(query), query),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{deliveryId}`,
      summary: "Read a delivery with its attempts",
      params,
      replies: { 200: DeliveryDetail },
      run: ({ caller, params: { deliveryId } }) => getDelivery(db, context.publicUrl, caller.workspaceId, deliveryId),
    }),
    route({
      ...common,
      access: [DELIVERIES_WRITE],
      method: "POST",
      path: `${PATH}/{deliveryId}/redeliver`,
      summary: "Send an event once more, now",
      params,
      idempotent: true,
      replies: { 200: WebhookDelivery },
      run: ({ tx, caller, params: { deliveryId } }) => redeliver(tx, caller.workspaceId, deliveryId),
      afterCommit: () => context.wake(),
    }),
  ];
}
