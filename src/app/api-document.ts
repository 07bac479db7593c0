import { readFileSync } from "node:fs";
import { DOCUMENTED_WEBHOOKS } from "#src/interactions/webhooks/event-shapes.ts";
import type { DocumentParts } from "#src/platform/http/openapi.ts";
import { EXAMPLES } from "./api-examples.ts";

const TAGS: Record<string, string> = {
  Authentication: "Access tokens for OAuth clients, and metadata that clients discover.",
  Outbound: "Places a call or starts a chat.",
  Calls: "Calls and their history, recordings, and what may be done with a live one.",
  "Call jobs": "Many calls in one request, from JSON or CSV, with retries and calling windows.",
  "Lead sources": "Addresses at which leads arrive from forms and other services, each called once.",
  Flows: "What the agent says and does in a conversation, with drafts, versions and shares.",
  Models: "Language models that a workspace has configured.",
  "Chat sessions": "Chats over the API, SMS and WhatsApp, and the operators in them.",
  Results: "What calls came to: funnel, hours, fields, versions, cost.",
  Contacts: "People by number or identifier, what happened with them, and their erasure.",
  "Do-not-call": "Numbers that are neither called nor written to, and doubtful opt-outs to decide.",
  Widgets: "Chat windows for web pages.",
  "Web phone": "Calls from and to a web page.",
  Tools: "What agents may call during a conversation, and asynchronous tool tasks.",
  Connections: "A workspace's access to providers such as Google and Salesforce, and the tool packs for them.",
  "Test endpoints": "Echoes to try tools and clients on.",
  "Structured outputs": "JSON schemas that agents fill in a conversation.",
  "Phone numbers": "Numbers to call from, and their limits.",
  Agents: "Agents, which flows and a knowledge base belong to.",
  "Agent knowledge base": "Texts, files and web pages that an agent's flows search.",
  Applications: "Applications, which group customers and data stores.",
  "Application customers": "Customers of an application.",
  "Data stores": "Stores for records of an application.",
  "Data store records": "Records of a data store, returned byte for byte.",
  Transcriptions: "Transcripts of recordings of your own, with metadata.",
  Balance: "Credit of the workspace, and what was used.",
  Artifacts: "Files that automations have made.",
  Automations: "Reports, digests and exports on a schedule.",
  "Session webhooks": "Addresses that receive the events of sessions.",
  Simulations: "Test suites of flows, replays of past calls, and forecasts of jobs.",
  Webhooks: "Requests that the service sends to receivers.",
};

/**
 * Returns the parts of the API document that no route declares. Reads the examples of replies, which tests record, so
 * that a process that is never asked for the document does not hold them.
 */
export function readDocumentParts(): DocumentParts {
  const recorded = readFileSync(new URL("./reply-examples.json", import.meta.url), "utf8");
  return {
    webhooks: DOCUMENTED_WEBHOOKS,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    examples: EXAMPLES,
    replyExamples: JSON.parse(recorded) as Record<string, unknown>,
  };
}
