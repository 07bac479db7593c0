/** Name and description of a tool, where the declaration of its route is not enough. */
export interface ToolText {
  name: string;
  description?: string;
  /** True when the tool only reads, although it is a POST. */
  readOnly?: boolean;
  /** Name of the argument for the whole body, where the body's members are the customer's own. */
  wholeBody?: string;
}

/**
 * Names or texts by method and path below the API's prefix. A route not listed gets a name from its path, so that new
 * routes appear automatically.
 */
const TOOL_TEXTS: Readonly<Record<string, string | ToolText>> = {
  "POST /outbound/calls": {
    name: "place_call",
    description:
      "Queue one phone call and return at once with its rowId. A person is called; ask first unless told to. To get the result in one step use place_call_and_wait; later read it with get_call.",
  },
  "GET /call-history": {
    name: "list_calls",
    description: "List calls, newest first, by status, outcome, number, flow or time. Each has its transcript.",
  },
  "GET /call-rows/{rowId}": {
    name: "get_call",
    description: "Read one call: status, outcome, transcript, extracted fields and the contextData sent with it.",
  },
  "POST /call-rows/{rowId}/cancel": "cancel_call",
  "POST /call-rows/{rowId}/end": "end_call",
  "POST /call-rows/{rowId}/supervise": "supervise_call",
  "POST /call-rows/{rowId}/whisper": "whisper_to_call",
  "POST /call-rows/{rowId}/say": "say_in_call",
  "POST /call-rows/{rowId}/simulation": "make_suite_of_call",
  "POST /simulations/sentences": "make_suite_of_sentence",
  "POST /web-calls": {
    name: "make_web_call",
    description:
      "Make a call that a person holds in a web page: give the token to the page, or ring a page that waits.",
  },
  "GET /web-phones": "list_web_phones",
  "POST /web-phones": "create_web_phone",
  "DELETE /web-phones/{id}": "delete_web_phone",
  "POST /outbound/chats": {
    name: "start_chat",
    description: "Start one chat session (CHAT, SMS or WHATSAPP). SMS and WHATSAPP send a message to a person.",
  },
  "GET /chat-sessions": "list_chats",
  "POST /chat-sessions/inbound-messages": "simulate_inbound_message",
  "GET /chat-sessions/{id}": "get_chat",
  "GET /chat-sessions/{id}/messages": "list_chat_messages",
  "POST /chat-sessions/{id}/messages": "send_chat_message",
  "POST /chat-sessions/{id}/close": "close_chat",
  "POST /chat-sessions/{id}/take-over": "take_over_chat",
  "POST /chat-sessions/{id}/hand-back": "hand_back_chat",
  "GET /contacts": "list_contacts",
  "GET /contacts/{id}": "get_contact",
  "DELETE /contacts/{id}": "erase_contact",
  "GET /contacts/{id}/timeline": "list_contact_timeline",
  "POST /contacts/{id}/opt-out": "opt_out_contact",
  "DELETE /contacts/{id}/opt-out": "take_back_contact_opt_out",
  "GET /do-not-call": "list_do_not_call",
  "GET /do-not-call/{number}": "get_do_not_call",
  "POST /do-not-call": "add_do_not_call",
  "POST /do-not-call/import": "import_do_not_call",
  "DELETE /do-not-call/{number}": "remove_do_not_call",
  "GET /opt-out-reviews": "list_opt_out_reviews",
  "GET /opt-out-reviews/{reviewId}": "get_opt_out_review",
  "POST /opt-out-reviews/{reviewId}/decision": "decide_opt_out_review",
  "GET /widgets": "list_widgets",
  "POST /widgets": "create_widget",
  "GET /widgets/{id}": "get_widget",
  "PUT /widgets/{id}": "update_widget",
  "DELETE /widgets/{id}": "delete_widget",
  "POST /call-jobs": {
    name: "create_call_job",
    description:
      "Call many people: rows plus flow, numbers, retries and completion webhook. Returns once queued. For a few rows with a result to wait for use start_call_job_from_rows.",
  },
  "GET /call-jobs": "list_call_jobs",
  "GET /call-jobs/{jobId}": {
    name: "get_call_job",
    description: "Read one call job: its status and row counts.",
  },
  "PATCH /call-jobs/{jobId}": "update_call_job",
  "GET /call-jobs/{jobId}/summary": "summarize_call_job",
  "GET /call-jobs/{jobId}/rows": "list_call_job_rows",
  "POST /call-jobs/{jobId}/rows": "add_call_job_rows",
  "GET /call-jobs/{jobId}/row-errors": "list_call_job_row_errors",
  "POST /call-jobs/{jobId}/pause": "pause_call_job",
  "POST /call-jobs/{jobId}/resume": "resume_call_job",
  "POST /call-jobs/{jobId}/cancel": "cancel_call_job",
  "POST /call-jobs/{jobId}/retry-failed": "retry_failed_call_job_rows",
  "POST /call-jobs/{jobId}/preflight": { name: "check_waiting_call_job_rows", readOnly: true },
  "POST /call-jobs/preflight": { name: "check_call_job", readOnly: true },
  "GET /lead-sources": "list_lead_sources",
  "POST /lead-sources": "create_lead_source",
  "GET /lead-sources/{id}": "get_lead_source",
  "PUT /lead-sources/{id}": "update_lead_source",
  "DELETE /lead-sources/{id}": "delete_lead_source",
  "POST /lead-sources/{id}/rotate": "rotate_lead_source",
  "GET /lead-sources/{id}/deliveries": "list_lead_deliveries",
  "POST /lead-sources/preview": { name: "check_lead_mapping", readOnly: true },
  "POST /lead-sources/{id}/preview": { name: "check_lead", readOnly: true },
  "GET /flows": {
    name: "list_flows",
    description: "List the flows: what the agent says and asks in a call or chat. Their apiId selects one.",
  },
  "GET /flows/changes": "list_flow_changes",
  "POST /flows": "create_flow",
  "GET /flows/{flowId}": "get_flow",
  "PUT /flows/{flowId}": {
    name: "update_flow",
    description: "Change a flow: only the fields sent, each as a whole; null clears one.",
  },
  "DELETE /flows/{flowId}": "delete_flow",
  "GET /flows/{flowId}/editing": "get_flow_editing",
  "GET /flows/{flowId}/draft": "get_flow_draft",
  "PUT /flows/{flowId}/draft": "update_flow_draft",
  "DELETE /flows/{flowId}/draft": "delete_flow_draft",
  "POST /flows/{flowId}/publish": "publish_flow",
  "GET /flows/{flowId}/versions": "list_flow_versions",
  "GET /flows/{flowId}/versions/results": "get_flow_version_results",
  "GET /flows/{flowId}/versions/{version}": "get_flow_version",
  "POST /flows/{flowId}/versions/{version}/restore": "restore_flow_version",
  "GET /flows/{flowId}/export": "export_flow",
  "POST /flows/import": "import_flow",
  "GET /flow-templates": "list_flow_templates",
  "GET /flow-templates/{name}": "get_flow_template",
  "GET /flows/{flowId}/split": "get_flow_split",
  "PUT /flows/{flowId}/split": "update_flow_split",
  "GET /tools": "list_tools",
  "POST /tools": "create_tool",
  "GET /tools/{toolId}": "get_tool",
  "PUT /tools/{toolId}": "update_tool",
  "DELETE /tools/{toolId}": "delete_tool",
  "GET /tool-tasks/{toolTaskId}": "get_tool_task",
  "GET /connection-providers": "list_connection_providers",
  "GET /connections": "list_connections",
  "POST /connections": "create_connection",
  "GET /connections/{connectionId}": "get_connection",
  "PUT /connections/{connectionId}": "update_connection",
  "DELETE /connections/{connectionId}": "delete_connection",
  "GET /tool-packs": "list_tool_packs",
  "GET /tool-packs/{name}": "get_tool_pack",
  "POST /tool-packs/{name}/install": "install_tool_pack",
  "POST /simulations": {
    name: "start_simulation",
    description:
      "Try a flow on simulated people as a test suite says; nobody is called. Returns at once; read the report with get_simulation.",
  },
  "POST /simulations/replays": "replay_calls",
  "POST /simulations/rehearsals": "rehearse_call_job",
  "GET /simulations": "list_simulations",
  "GET /simulations/{id}": "get_simulation",
  "GET /simulations/{id}/source": "get_simulation_source",
  "POST /simulations/{id}/cancel": "cancel_simulation",
  "GET /simulations/{id}/junit": "get_simulation_junit",
  "GET /personas": "list_personas",
  "GET /structured-outputs": "list_structured_outputs",
  "POST /structured-outputs": "create_structured_output",
  "PUT /structured-outputs/{id}": "update_structured_output",
  "DELETE /structured-outputs/{id}": "delete_structured_output",
  "GET /phone-numbers": "list_phone_numbers",
  "POST /phone-numbers": "create_phone_number",
  "PUT /phone-numbers/{id}": "update_phone_number",
  "DELETE /phone-numbers/{id}": "release_phone_number",
  "GET /agents": "list_agents",
  "POST /agents": "create_agent",
  "GET /agents/{agentId}": "get_agent",
  "PUT /agents/{agentId}": "update_agent",
  "DELETE /agents/{agentId}": "delete_agent",
  "GET /agents/{agentId}/knowledge-base/items": "list_knowledge_items",
  "POST /agents/{agentId}/knowledge-base/items": "create_knowledge_item",
  "GET /agents/{agentId}/knowledge-base/items/{itemId}": "get_knowledge_item",
  "PUT /agents/{agentId}/knowledge-base/items/{itemId}": "update_knowledge_item",
  "DELETE /agents/{agentId}/knowledge-base/items/{itemId}": "delete_knowledge_item",
  "POST /agents/{agentId}/knowledge-base/items/{itemId}/reindex": "reindex_knowledge_item",
  "GET /agents/{agentId}/knowledge-base/search": "search_knowledge",
  "GET /applications": "list_applications",
  "POST /applications": "create_application",
  "GET /applications/{appId}": "get_application",
  "PUT /applications/{appId}": "update_application",
  "DELETE /applications/{appId}": "delete_application",
  "GET /applications/{appId}/customers": "list_customers",
  "POST /applications/{appId}/customers": "create_customer",
  "GET /applications/{appId}/customers/{customerId}": "get_customer",
  "PUT /applications/{appId}/customers/{customerId}": "update_customer",
  "DELETE /applications/{appId}/customers/{customerId}": "delete_customer",
  "GET /data-stores": "list_data_stores",
  "GET /applications/{appId}/stores": "list_stores",
  "POST /applications/{appId}/stores": "create_store",
  "PUT /applications/{appId}/stores/{storeKey}": "update_store",
  "DELETE /applications/{appId}/stores/{storeKey}": "delete_store",
  "GET /applications/{appId}/stores/{storeKey}": "list_records",
  "POST /applications/{appId}/stores/{storeKey}": { name: "create_record", wholeBody: "record" },
  "GET /applications/{appId}/stores/{storeKey}/records": "list_records",
  "POST /applications/{appId}/stores/{storeKey}/records": { name: "create_record", wholeBody: "record" },
  "GET /applications/{appId}/stores/{storeKey}/{recordId}": "get_record",
  "PUT /applications/{appId}/stores/{storeKey}/{recordId}": { name: "put_record", wholeBody: "record" },
  "DELETE /applications/{appId}/stores/{storeKey}/{recordId}": "delete_record",
  "GET /transcriptions/jobs": "list_transcription_jobs",
  "POST /transcriptions/jobs": "create_transcription_job",
  "GET /transcriptions/jobs/{jobId}": "get_transcription_job",
  "PATCH /transcriptions/jobs/{jobId}": "update_transcription_job",
  "POST /transcriptions/jobs/{jobId}/close": "close_transcription_job",
  "GET /transcriptions/jobs/{jobId}/recordings": "list_recordings",
  "POST /transcriptions/jobs/{jobId}/recordings": "add_recording",
  "GET /transcriptions/jobs/{jobId}/recordings/{rowId}": "get_recording",
  "GET /metadata/fields": "list_metadata_fields",
  "PUT /metadata/fields": "replace_metadata_fields",
  "GET /automations": "list_automations",
  "POST /automations": "create_automation",
  "GET /automations/{automationId}": "get_automation",
  "PUT /automations/{automationId}": "update_automation",
  "DELETE /automations/{automationId}": "delete_automation",
  "POST /automations/{automationId}/run": "run_automation",
  "GET /automations/{automationId}/runs": "list_automation_runs",
  "GET /automations/{automationId}/artifacts": "list_artifacts",
  "GET /artifacts/{id}": "get_artifact",
  "GET /balance": { name: "get_balance", description: "Read the workspace's balance and what was used." },
  "GET /usage": "list_usage",
  "GET /usage/summary": "summarise_usage",
};

/**
 * Routes without a tool: echo endpoints only test HTTP clients; models and session webhooks take or show secrets that
 * should not pass through a conversation; thousands of numbers that draw a waveform are useless to a model.
 */
const LEFT_OUT = /^\/(test|models|session-webhooks)(\/|$)|\/recording\/peaks$/;

/** Returns the text of a route's tool; undefined for a route without a tool. `path` is below the prefix. */
export function textOf(method: string, path: string): ToolText | undefined {
  if (LEFT_OUT.test(path)) return undefined;
  const text = TOOL_TEXTS[`${method} ${path}`] ?? nameFromPath(method, path);
  return typeof text === "string" ? { name: text } : text;
}

const VERBS: Record<string, string> = { GET: "get", POST: "post", PUT: "update", PATCH: "change", DELETE: "delete" };

/** The longest name; some models refuse longer ones. */
const MAX_NAME = 64;

/** Returns a name made of method and path, such as get_agents_by_agent_id for GET /agents/{agentId}. */
function nameFromPath(method: string, path: string): string {
  const words = path
    .replaceAll(/\{(\w+)\}/g, "by_$1")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return [VERBS[method], ...words].join("_").toLowerCase().slice(0, MAX_NAME);
}
