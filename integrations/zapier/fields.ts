/** A field that people fill in. */
export interface Field {
  key: string;
  label: string;
  type?: "string" | "text" | "datetime";
  required?: boolean;
  helpText?: string;
  placeholder?: string;
  choices?: Record<string, string>;
  default?: string;
  dict?: boolean;
  dynamic?: string;
  children?: Field[];
}

/** Flow of a call, a job or a chat, chosen from a list. */
export const FLOW: Field = {
  key: "flowId",
  label: "Flow",
  dynamic: "flow_list.id.name",
  helpText: "The workspace's default when empty.",
};

/** Job of the workspace, chosen from a list. */
export const JOB: Field = { key: "jobId", label: "Call Job", required: true, dynamic: "job_list.id.name" };

/** Number to call. */
export const NUMBER: Field = {
  key: "customerNumber",
  label: "Phone Number",
  required: true,
  placeholder: "+12025550100",
  helpText: "In E.164 form.",
};

/** Name of the contact. */
export const CONTACT_NAME: Field = { key: "contactName", label: "Contact Name" };

/** E-mail of the contact. */
export const CONTACT_EMAIL: Field = { key: "contactEmail", label: "Contact E-mail" };

/** Variables of the conversation. */
export const ROW_DATA: Field = {
  key: "rowData",
  label: "Variables",
  dict: true,
  helpText: "What the agent may know, by the names that the flow uses.",
};

/** Data that travels along. */
export const CONTEXT_DATA: Field = {
  key: "contextData",
  label: "Context Data",
  dict: true,
  helpText: "Travels along unseen, and comes back in events.",
};

/** Key that makes a repeat harmless. */
export const REPEAT_KEY: Field = {
  key: "repeatKey",
  label: "Repeat Key",
  helpText:
    "Nobody is called twice with the same key, such as the ID of the record that starts the Zap. Good for 24 hours.",
};
