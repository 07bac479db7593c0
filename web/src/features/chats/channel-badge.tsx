import { Badge } from "@mantine/core";
import type { ChatSession } from "@parley/sdk";
import { CHANNELS } from "./chat.ts";

/** Badge of a chat's channel. */
export function ChannelBadge({ channel }: { channel: ChatSession["channel"] }) {
  const { label, color } = CHANNELS[channel];
  return (
    <Badge size="md" radius="sm" variant="light" color={color} tt="none" fw={550} className="status">
      {label}
    </Badge>
  );
}
