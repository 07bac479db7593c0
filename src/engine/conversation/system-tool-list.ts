/** A parameter of a system tool. */
export interface SystemToolParameter {
  name: string;
  type: "string" | "object";
  description: string;
  required: boolean;
}

/** A tool that is part of the service. */
export interface SystemToolSpec {
  name: string;
  description: string;
  parameters: SystemToolParameter[];
  /** True: every session has it. False: only sessions whose flow names it. */
  always: boolean;
  /** Needs a live voice. */
  voiceOnly: boolean;
}

const text = (name: string, description: string, required = true): SystemToolParameter => ({
  name,
  type: "string",
  description,
  required,
});

const REQUEST_HUMAN = "request_human";

/** Offered in every chat; once called, the chat waits for a human operator. */
export const REQUEST_HUMAN_IN_CHAT: SystemToolSpec = {
  name: REQUEST_HUMAN,
  description:
    "Asks a human colleague to take over this chat. Use it when the person wants a human. The chat stays open: say that a colleague was asked, promise no time, and say no goodbye.",
  parameters: [],
  always: true,
  voiceOnly: false,
};

/**
 * Offered in every call that no tool can transfer: the request is stored, so that somebody can call the person back.
 */
export const REQUEST_HUMAN_IN_CALL: SystemToolSpec = {
  ...REQUEST_HUMAN_IN_CHAT,
  description:
    "Notes that the person wants to speak to a human colleague. Use it when the person wants a human: this call cannot be handed over. Then say that somebody will call them back, and promise no time.",
};

/** All system tools; system-tools.ts implements them. */
export const SYSTEM_TOOL_SPECS: readonly SystemToolSpec[] = [
  {
    name: "end_call",
    description: "Ends the conversation after what you say in this turn. Say goodbye in the same turn.",
    parameters: [text("reason", "Why the conversation ends.", false)],
    always: true,
    voiceOnly: false,
  },
  {
    name: "add_to_do_not_call",
    description:
      "Puts the person's number on the do-not-call list. Use it whenever the person does not want to be called again.",
    parameters: [],
    always: true,
    voiceOnly: false,
  },
  {
    name: "transfer_call",
    description: "Hands the conversation over to one of the targets that are named to you.",
    parameters: [text("target", "Name of the target.")],
    always: false,
    voiceOnly: false,
  },
  {
    name: "send_dtmf",
    description: "Presses keys of the phone, such as an extension or the choice of a menu.",
    parameters: [text("digits", "Keys 0-9, * and #.")],
    always: false,
    voiceOnly: true,
  },
  {
    name: "send_message",
    description: "Sends the person a text message to the number they are reached at.",
    parameters: [text("text", "What the message says."), text("channel", "SMS (default) or WHATSAPP.", false)],
    always: false,
    voiceOnly: false,
  },
  {
    name: "schedule_callback",
    description: "Has the person called again at a time they named.",
    parameters: [
      text("at", "When, such as 2026-03-01T15:00; the person's own time unless it names an offset."),
      text("note", "What the next call should know.", false),
    ],
    always: false,
    voiceOnly: false,
  },
  {
    name: "search_knowledge",
    description: "Looks a question up in the knowledge base. Answer from what it gives, or say that you do not know.",
    parameters: [text("query", "The question.")],
    always: false,
    voiceOnly: false,
  },
  {
    name: "read_record",
    description: "Reads what is stored about the person in a data store.",
    parameters: [
      text("storeKey", "Key of the data store."),
      text("recordId", "One record; without it, the person's records.", false),
    ],
    always: false,
    voiceOnly: false,
  },
  {
    name: "write_record",
    description: "Stores something about the person in a data store.",
    parameters: [
      text("storeKey", "Key of the data store."),
      text("recordId", "The record to change; without it, a new one.", false),
      {
        name: "fields",
        type: "object",
        description: "Values by field; other fields stay as they are.",
        required: true,
      },
    ],
    always: false,
    voiceOnly: false,
  },
  {
    name: "leave_voicemail",
    description: "Leaves the flow's voicemail message and hangs up. Use it when a machine has answered.",
    parameters: [],
    always: false,
    voiceOnly: true,
  },
];
