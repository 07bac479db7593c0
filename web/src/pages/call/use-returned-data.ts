import type { CallRow, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { isSame } from "#web/form/merge-fields.ts";
import { DELIVERIES_PATH, type Delivery, type DeliveryDetail } from "#web/pages/developers/delivery.ts";

/** Whether the webhook that told of a call's end brought its contextData back as it was sent; undefined where none told. */
export function useReturnedData({ id, contextData }: CallRow): boolean | undefined {
  const told = useRead<Page<Delivery>>(DELIVERIES_PATH, { rowId: id, size: 50 });
  const ended = told.data?.content.find(({ eventType }) => eventType === "session.ended");
  const delivery = useRead<DeliveryDetail>(`${DELIVERIES_PATH}/${ended?.id}`, undefined, {
    enabled: ended !== undefined,
  });
  const body = delivery.data?.body;
  return body === undefined || body === null ? undefined : isSame(readReturned(body), contextData);
}

function readReturned(body: string): unknown {
  try {
    return (JSON.parse(body) as { session?: { contextData?: unknown } }).session?.contextData ?? null;
  } catch {
    return undefined;
  }
}
