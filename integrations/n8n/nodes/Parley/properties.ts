import type { INodeProperties } from "n8n-workflow";

/** Field that is shown for these operations. */
function field(operations: string[], property: Omit<INodeProperties, "displayOptions">): INodeProperties {
  return { ...property, displayOptions: { show: { operation: operations } } };
}

const CALLS = ["placeCall"];
const FLOWS = ["placeCall", "createJob", "startChat"];

/** Fields of the node Parley, the operation first. */
export const PROPERTIES: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    default: "placeCall",
    options: [
      { name: "Add Rows to Job", value: "addRows", action: "Add rows to a call job" },
      { name: "Create Job", value: "createJob", action: "Create a call job" },
      { name: "Get Call", value: "getCall", action: "Get a call or wait for its end" },
      { name: "List Flows", value: "listFlows", action: "List flows" },
      { name: "Place Call", value: "placeCall", action: "Place a call" },
      { name: "Send Chat Message", value: "sendMessage", action: "Send a message into a chat" },
      { name: "Start Chat", value: "startChat", action: "Start a chat" },
    ],
  },
  field([...CALLS, "startChat"], {
    displayName: "Phone Number",
    name: "phoneNumber",
    type: "string",
    default: "",
    placeholder: "+12025550100",
    description: "In E.164 form. A chat over SMS or WhatsApp needs one too.",
  }),
  field(["startChat"], {
    displayName: "Channel",
    name: "channel",
    type: "options",
    default: "CHAT",
    options: ["CHAT", "SMS", "WHATSAPP"].map((value) => ({ name: value, value })),
  }),
  field(FLOWS, {
    displayName: "Flow",
    name: "flow",
    type: "string",
    default: "",
    description: "ID or API ID of a flow; the workspace's default when empty",
  }),
  field([...CALLS, "startChat"], { displayName: "Contact Name", name: "contactName", type: "string", default: "" }),
  field(CALLS, {
    displayName: "Variables",
    name: "rowData",
    type: "json",
    default: "{}",
    description: "What the agent may know",
  }),
  field([...CALLS, "startChat"], {
    displayName: "Context Data",
    name: "contextData",
    type: "json",
    default: "{}",
    description: "Travels along and comes back in webhooks",
  }),
  field(["createJob"], { displayName: "Job Name", name: "jobName", type: "string", default: "" }),
  field(["addRows"], { displayName: "Job ID", name: "jobId", type: "string", default: "", required: true }),
  field(["createJob", "addRows"], {
    displayName: "Rows",
    name: "rows",
    type: "json",
    default: '[{"customerNumber": "+12025550100"}]',
    description: "A list of objects with customerNumber, and what is known of the contact",
  }),
  field(["getCall"], { displayName: "Call ID", name: "callId", type: "string", default: "", required: true }),
  field([...CALLS, "getCall"], {
    displayName: "Wait for the End",
    name: "wait",
    type: "boolean",
    default: false,
    description: "Whether to go on only when the call is over",
  }),
  field([...CALLS, "getCall"], {
    displayName: "Wait at Most (Seconds)",
    name: "waitSeconds",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 900,
  }),
  field(["sendMessage"], { displayName: "Chat ID", name: "chatId", type: "string", default: "", required: true }),
  field(["sendMessage"], { displayName: "Message", name: "message", type: "string", default: "", required: true }),
];
