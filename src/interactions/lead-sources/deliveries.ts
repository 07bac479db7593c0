import type { Executor } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { type Page, pageOf, toPage } from "#src/platform/http/paging.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { demandSource } from "./lead-sources.ts";
import { LeadReason } from "./lead.ts";
import { countDeliveries, type LeadDeliveryRow, listDeliveries } from "./store.ts";

/** States of a delivery. */
export const DELIVERY_STATUSES = ["QUEUED", "DUPLICATE", "REFUSED"] as const;

/** A delivery to a source, and its outcome. */
export const LeadDelivery = Type.Object(
  {
    id: Uuid,
    status: oneOf(DELIVERY_STATUSES, "DUPLICATE: a repeat, which dials nobody. REFUSED: no lead, for the reason."),
    reason: nullable(LeadReason),
    message: nullable(Type.String()),
    customerNumber: nullable(Type.String()),
    externalId: nullable(Type.String()),
    consent: nullable(Type.String({ description: "As it was sent." })),
    rowId: nullable({ ...Uuid, description: "The call; of a repeat, that of the first." }),
    contentType: nullable(Type.String()),
    body: nullable(Type.String({ description: "As it was sent; null once its contact was erased." })),
    createdAt: Timestamp,
  },
  { $id: "LeadDelivery" },
);
export type LeadDelivery = Static<typeof LeadDelivery>;
export const LeadDeliveryPage = pageOf(LeadDelivery, "LeadDeliveryPage");

/** A page of a source's deliveries, newest first; 404 for an unknown source. */
export async function getDeliveries(
  db: Executor,
  workspaceId: string,
  sourceId: string,
  statuses: readonly string[] | undefined,
  page: PageRequest,
): Promise<Page<LeadDelivery>> {
  await demandSource(db, workspaceId, sourceId);
  const filter = { sourceId, statuses };
  const rows = await listDeliveries(db, workspaceId, filter, page);
  return toPage(page, rows.map(toDelivery), () => countDeliveries(db, workspaceId, filter));
}

function toDelivery(row: LeadDeliveryRow): LeadDelivery {
  return {
    id: row.id,
    status: row.status,
    reason: row.reason,
    message: row.message,
    customerNumber: row.customer_number,
    externalId: row.external_id,
    consent: row.consent,
    rowId: row.row_id,
    contentType: row.content_type,
    body: row.body,
    createdAt: row.created_at.toISOString(),
  };
}
