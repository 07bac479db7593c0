import { Text } from "@mantine/core";
import type { ChatMessage } from "@parley/sdk";
import { useState } from "react";
import { readToolCall } from "#web/domain/call/call.ts";
import { ToolLine } from "#web/domain/call/transcript.tsx";
import { inSentence, t } from "#web/i18n/t.ts";
import { formatName, formatTime } from "#web/ui/format/format.ts";
import { Words } from "#web/ui/words.tsx";
import { isUndelivered, UndeliveredBadge } from "./undelivered-badge.tsx";

const LONGEST = 4_000;
const NAMES = { USER: t`Person`, ASSISTANT: t`Agent`, AGENT: t`Operator`, TOOL: t`Tool` } as const;

/** A message; its text is shown without interpretation. */
export function ChatLine({ message, assignee }: { message: ChatMessage; assignee: string | null }) {
  const [isWhole, setWhole] = useState(false);
  const tool = readToolCall(message);
  if (tool) {
    return (
      <div className="chat-tool">
        <ToolLine tool={tool} />
      </div>
    );
  }
  const { role, content } = message;
  const isCut = !isWhole && content.length > LONGEST;
  return (
    <div className={`bubble bubble-${role.toLowerCase()}`} data-undelivered={isUndelivered(message) || undefined}>
      <span className="bubble-who">{role === "AGENT" ? (assignee ?? NAMES.AGENT) : NAMES[role]}</span>
      <Words className="bubble-text" dir="auto">
        {isCut ? `${content.slice(0, LONGEST)}…` : content}
      </Words>
      {isCut && (
        <button type="button" className="bubble-more" onClick={() => setWhole(true)}>
          {t`Show all`}
        </button>
      )}
      <UndeliveredBadge message={message} />
      <Text component="span" className="bubble-note">
        {formatTime(message.createdAt)}
        {message.deliveryStatus !== null &&
          !isUndelivered(message) &&
          ` · ${inSentence(formatName(message.deliveryStatus))}`}
      </Text>
    </div>
  );
}
