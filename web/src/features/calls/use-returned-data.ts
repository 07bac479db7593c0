import type { CallRow, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { DELIVERIES_PATH, type Delivery, type DeliveryDetail } from "#web/domain/webhook/delivery.ts";
import { isSameData } from "./same-data.ts";

/**
 * Compares the contextData of a call with that in the webhook body that announced its end, as texts. Returns true when
 * they differ only in spaces between values, undefined while no webhook has been sent.
 */
export function useReturnedData({ id, contextData }: CallRow): boolean | undefined {
  const sent = useRead<Page<Delivery>>(DELIVERIES_PATH, { rowId: id, size: 50 });
  const ended = sent.data?.content.find(({ eventType }) => eventType === "session.ended");
  const delivery = useRead<DeliveryDetail>(`${DELIVERIES_PATH}/${ended?.id}`, undefined, {
    enabled: ended !== undefined,
  });
  const body = delivery.data?.body;
  if (body === undefined || body === null) return undefined;
  return isSameData(body, contextData);
}
