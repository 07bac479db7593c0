import { Badge } from "@mantine/core";
import type { ChatMessage } from "@parley/sdk";
import { inSentence, t } from "#web/i18n/t.ts";
import { formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";

type Delivery = Pick<ChatMessage, "deliveryStatus" | "errorCode">;

/** True for a message that the person did not get. */
export function isUndelivered({ deliveryStatus }: Delivery): boolean {
  return deliveryStatus === "FAILED";
}

/** Badge of a message that the person did not get, with the reason; nothing for any other one. */
export function UndeliveredBadge({ message }: { message: Delivery }) {
  if (!isUndelivered(message)) return null;
  return (
    <Badge
      variant="filled"
      color="red.9"
      radius="sm"
      tt="none"
      fw={600}
      className="undelivered"
      leftSection={<Icon name="alert" size={12} />}
    >
      {describe(message)}
    </Badge>
  );
}

function describe({ errorCode: code }: Delivery): string {
  if (code === null || code === "UNDELIVERED") return t`Not delivered`;
  return t`Not delivered: ${inSentence(formatName(code))}`;
}
