import type { ChatMessage, ChatSession } from "@parley/sdk";
import type { Query } from "#web/api/http.ts";
import { toPlainNumber } from "#web/domain/number/written-number.ts";
import { t } from "#web/i18n/t.ts";
import type { Filter } from "#web/ui/filters/filter.ts";
import type { FilterValues } from "#web/ui/filters/url-state.ts";
import { formatName } from "#web/ui/format/format.ts";
import type { IconName } from "#web/ui/icon.tsx";

/** A chat as an entry of the list. */
export interface ListedChat extends ChatSession {
  lastMessage:
    | ({ role: "ASSISTANT" | "USER" | "AGENT"; content: string } & Pick<ChatMessage, "deliveryStatus" | "errorCode">)
    | null;
}

const OPEN = ["ACTIVE", "HANDED_OFF"];
const ENDED = ["CLOSED", "EXPIRED", "FAILED"];

/** Best available name of the chat's contact: name, phone, e-mail or identifier. */
export function personOf({ contactName, contactPhone, contactEmail, contactIdentifier }: ChatSession): string {
  if (contactName) return contactName;
  const made = contactIdentifier?.startsWith("chat_") ? t`Visitor ${contactIdentifier.slice(-6)}` : contactIdentifier;
  return contactPhone ?? contactEmail ?? made ?? t`Nobody`;
}

/** Label, icon and colour of each channel. */
export const CHANNELS: Record<ChatSession["channel"], { label: string; icon: IconName; color: string }> = {
  CHAT: { label: t`Chat`, icon: "chat", color: "parley" },
  SMS: { label: "SMS", icon: "phone", color: "blue" },
  WHATSAPP: { label: "WhatsApp", icon: "audio", color: "green" },
};

const options = (names: string[]) => names.map((value) => ({ value, label: formatName(value) }));

/** Filters of the inbox; without a state it shows the open chats. */
export const CHAT_FILTERS: Filter[] = [
  {
    name: "show",
    label: t`Open chats`,
    kind: "select",
    options: [
      { value: "ended", label: t`Ended chats` },
      { value: "all", label: t`All chats` },
      { value: "waiting", label: t`Waiting for a human` },
      { value: "requested", label: t`Asked for a human after hours` },
      ...options(["ACTIVE", "HANDED_OFF"]),
    ],
    width: 150,
  },
  {
    name: "channel",
    label: t`Channel`,
    kind: "many",
    options: Object.entries(CHANNELS).map(([value, { label }]) => ({ value, label })),
    width: 140,
  },
  { name: "contactPhone", label: t`Number`, kind: "text", width: 160 },
  {
    name: "sort",
    label: t`Newest first`,
    kind: "select",
    options: [{ value: "createdAt", label: t`Oldest first` }],
    width: 130,
  },
];

/** The filters as the API takes them. */
export function toChatQuery({ show, channel, contactPhone, sort }: FilterValues): Query {
  const number = toPlainNumber(contactPhone?.[0] ?? "");
  return {
    status: statusesOf(show?.[0]),
    handoff: { waiting: "WAITING", requested: "REQUESTED" }[show?.[0] ?? ""],
    channel,
    // An incomplete number does not filter.
    contactPhone: /^\+\d{3,15}$/.test(number) ? number : undefined,
    sort: sort?.[0],
  };
}

function statusesOf(show: string | undefined): string[] | undefined {
  if (show === "all") return undefined;
  if (show === "ended") return ENDED;
  return show !== undefined && OPEN.includes(show) ? [show] : OPEN;
}
