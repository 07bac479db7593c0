import { t } from "#web/i18n/t.ts";

/** A webhook for the call and chat events of one flow, or of all. */
export interface SessionWebhook {
  id: string;
  flowId: string | null;
  url: string;
  events: string[];
  authMode: "NONE" | "BEARER" | "CUSTOM_HEADER";
  secret: string | null;
  headerName: string | null;
  headerValue: string | null;
  enabled: boolean;
  disabledReason: string | null;
  signingSecret: string | null;
  createdAt: string;
  updatedAt: string;
}

export const WEBHOOKS_PATH = "/session-webhooks";

/** Events that a webhook can receive. */
export const EVENTS = [
  { value: "session.started", label: t`A call or chat starts` },
  { value: "message.created", label: t`Something is said or written` },
  { value: "session.human_requested", label: t`Somebody asks for a human` },
  { value: "call.alert", label: t`A live call needs a look` },
  { value: "session.ended", label: t`A call or chat ends` },
];
