import { DOCUMENTED_WEBHOOKS } from "#src/interactions/webhooks/event-shapes.ts";
import type { DocumentParts } from "#src/platform/http/openapi.ts";

const TAGS: Record<string, string> = {
  Authentication: "Access tokens for OAuth clients, and metadata that clients discover.",
  Outbound: "Places a call or starts a chat.",
  Calls: "Calls and their history, recordings, and what may be done with a live one.",
  "Call jobs": "Many calls in one request, from JSON or CSV, with retries and calling windows.",
  "Lead sources": "Addresses at which leads arrive from forms and other services, each called once.",
  Flows: "What the agent says and does in a conversation, with drafts, versions and shares.",
  Models: "Language models that a workspace has configured.",
  "Chat sessions": "Chats over the API, SMS and WhatsApp, and the operators in them.",
  Contacts: "People by number or identifier, what happened with them, and their erasure.",
  "Do-not-call": "Numbers that are neither called nor written to, and doubtful opt-outs to decide.",
  Widgets: "Chat windows for web pages.",
  "Web phone": "Calls from and to a web page.",
  Tools: "What agents may call during a conversation, and asynchronous tool tasks.",
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

/** Bodies that the document shows, by operation. A test sends each to a new workspace. */
const EXAMPLES: Record<string, unknown> = {
  postOutboundCalls: {
    customerNumber: "+12025550100",
    contactName: "Ada Lovelace",
    rowData: { appointment: "Tuesday at 9" },
    contextData: { orderId: 7 },
    retryConfig: { maxAttempts: 3, retryOn: ["BUSY", "NO_ANSWER"], delaysSeconds: [600, 3600] },
  },
  postCallJobs: {
    name: "Reminders for Tuesday",
    maxConcurrency: 5,
    rows: [
      { customerNumber: "+12025550100", contactName: "Ada", externalId: "1", rowData: { time: "9:00" } },
      { customerNumber: "+12025550101", contactName: "Grace", externalId: "2", rowData: { time: "9:30" } },
    ],
  },
  postLeadSources: {
    name: "Contact form",
    mapping: {
      customerNumber: "lead.phone",
      externalId: "lead.id",
      contactName: "lead.name",
      rowData: { product: "lead.product" },
    },
    defaultCountry: "US",
  },
  postLeadSourcesPreview: {
    mapping: { customerNumber: "lead.phone", contactName: "lead.name" },
    defaultCountry: "US",
    sample: { lead: { phone: "(202) 555-0100", name: "Ada" } },
  },
  postFlows: {
    name: "Appointment reminder",
    language: "en-US",
    firstMessage: "Hello {{ contactName }}, this is the clinic. Will you come on {{ day }}?",
    masterPrompt: "You remind patients of their appointments. Be brief, and end the call when they have answered.",
    localVariables: [{ variableName: "day", type: "string", defaultValue: "Tuesday" }],
  },
  postOutboundChats: { channel: "CHAT", contactName: "Ada Lovelace", contextData: { orderId: 7 } },
  postStructuredOutputs: {
    name: "visit",
    description: "Whether the person comes",
    schema: { type: "object", properties: { coming: { type: "boolean" }, people: { type: "integer" } } },
  },
  postAgents: { name: "Front desk" },
  postApplications: { name: "Clinic" },
  postDoNotCall: { numbers: ["+12025550111"], note: "Asked by letter" },
  postSessionWebhooks: { url: "https://example.com/parley", events: ["session.ended"] },
  postCallJobsPreflight: { rows: [{ customerNumber: "+12025550100" }] },
};

/** Parts of the API document that no route declares. */
export const DOCUMENT_PARTS: DocumentParts = {
  webhooks: DOCUMENTED_WEBHOOKS,
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  examples: EXAMPLES,
};
