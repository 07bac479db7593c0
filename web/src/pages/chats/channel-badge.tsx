import { Badge } from "@mantine/core";
import { type Chat, CHANNELS } from "./chat.ts";

/** By which channel a chat goes. */
export function ChannelBadge({ channel }: { channel: Chat["channel"] }) {
  const { label, color } = CHANNELS[channel];
  return (
    <Badge size="md" radius="sm" variant="light" color={color} tt="none" fw={550} className="status">
      {label}
    </Badge>
  );
}
