import { isSigned } from "../../n8n/shared/verify";
import { FLOW } from "../fields";
import { filled, send } from "../request";
import type { Bundle, Json, ZObject } from "../zapier";
import { recentEvents } from "./recent";

const PATH = "/session-webhooks";

interface Trigger {
  key: string;
  noun: string;
  event: string;
  label: string;
  description: string;
}

/** Trigger of one event: a session webhook of Parley while the Zap is on. */
function eventTrigger({ key, noun, event, label, description }: Trigger) {
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      type: "hook",
      inputFields: [{ ...FLOW, helpText: "Events of this flow; those of every flow when empty." }],
      performSubscribe: (z: ZObject, bundle: Bundle) =>
        send(z, bundle, {
          method: "POST",
          path: PATH,
          body: { url: bundle.targetUrl, events: [event], ...filled(bundle, ["flowId"]) },
        }),
      performUnsubscribe: (z: ZObject, bundle: Bundle) =>
        send(z, bundle, { method: "DELETE", path: `${PATH}/${bundle.subscribeData?.id}` }),
      perform: async (z: ZObject, bundle: Bundle) => [takeEvent(z, bundle)],
      performList: (z: ZObject, bundle: Bundle) => recentEvents(z, bundle, event),
      sample: {
        id: "019a2b3c-0000-7000-8000-000000000005",
        eventId: "019a2b3c-0000-7000-8000-000000000005",
        eventType: event,
        session: { id: "019a2b3c-0000-7000-8000-000000000006", channel: "VOICE", contactPhone: "+12025550100" },
      },
    },
  };
}

/**
 * Returns the event that came, if its signature is good. One whose answer came too late comes again with the same
 * `eventId`, and starts the Zap again: Zapier compares ids of polling triggers alone.
 */
function takeEvent(z: ZObject, { rawRequest, subscribeData }: Bundle): Json {
  const content = rawRequest?.content ?? "";
  const headers = headersOf(rawRequest?.headers ?? {});
  if (!isSigned(headers, Buffer.from(content), subscribeData?.signingSecret ?? "")) {
    throw new z.errors.HaltedError("The signature of this event is wrong or old.");
  }
  const event = JSON.parse(content) as Json;
  return { id: event.eventId, ...event };
}

/** Zapier shows a hook's headers in title case, and may put Http- before them. */
function headersOf(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase().replace(/^http-/, ""), value]),
  );
}

/** Triggers by the events of calls and chats. */
export const EVENT_TRIGGERS = [
  eventTrigger({
    key: "session_ended",
    noun: "Call or Chat",
    event: "session.ended",
    label: "Call or Chat Ended",
    description: "Triggers when a call came to its final end, or a chat was closed.",
  }),
  eventTrigger({
    key: "session_started",
    noun: "Call or Chat",
    event: "session.started",
    label: "Call or Chat Started",
    description: "Triggers when a conversation begins.",
  }),
  eventTrigger({
    key: "human_requested",
    noun: "Request",
    event: "session.human_requested",
    label: "Human Requested",
    description: "Triggers when a person asks for a human.",
  }),
  eventTrigger({
    key: "call_alert",
    noun: "Alert",
    event: "call.alert",
    label: "Call Alert",
    description: "Triggers when a supervisor should look at a live call.",
  }),
  eventTrigger({
    key: "message_created",
    noun: "Message",
    event: "message.created",
    label: "Chat Message",
    description: "Triggers when a message of a chat is written, by either side.",
  }),
];
