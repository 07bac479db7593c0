type Json = Record<string, unknown>;
type Block = Json & { type: string };

const TOP = new Set(
  `model messages max_tokens system temperature top_p top_k tools tool_choice stream stop_sequences metadata thinking
   output_config service_tier`.split(/\s+/),
);
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MEMBER_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const CALL_ID = /^[a-zA-Z0-9_-]+$/;

/** Lists the reasons for which Anthropic's messages API refuses a request, by its reference and its error messages. */
export function findAnthropicRefusals(body: Json): string[] {
  const refusals: string[] = [];
  const refuse = (message: string): void => void refusals.push(message);
  for (const name of Object.keys(body)) if (!TOP.has(name)) refuse(`${name}: Extra inputs are not permitted`);
  if (typeof body.model !== "string" || body.model === "") refuse("model: Field required");
  if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1) refuse("max_tokens: Field required");
  const { temperature } = body;
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 1))
    refuse("temperature: range: 0..1");
  if (body.system !== undefined) checkSystem(body.system, refuse);
  checkMessages(body.messages, refuse);
  checkTools(body, refuse);
  const { format } = (body.output_config ?? {}) as { format?: { type: string; schema: Json } };
  if (format) checkClosed(format.schema, "output_config.format.schema", refuse);
  return refusals;
}

type Refuse = (message: string) => void;

function checkSystem(system: unknown, refuse: Refuse): void {
  const blocks = typeof system === "string" ? [{ type: "text", text: system }] : (system as Block[]);
  for (const { text } of blocks)
    if (typeof text !== "string" || text.trim() === "") refuse("system: text content blocks must be non-empty");
}

function checkMessages(messages: unknown, refuse: Refuse): void {
  if (!Array.isArray(messages) || messages.length === 0) return refuse("messages: at least one message is required");
  const ids = new Set<string>();
  let open: string[] = [];
  let before = "assistant";
  for (const [i, message] of (messages as { role: string; content: unknown }[]).entries()) {
    const at = `messages.${i}`;
    const { role } = message;
    if (!["user", "assistant"].includes(role)) refuse(`${at}: unexpected role ${role}`);
    if (role === before)
      refuse(i === 0 ? "messages: first message must use the user role" : `${at}: roles must alternate`);
    before = role;
    const blocks = (
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content
    ) as Block[];
    if (!Array.isArray(blocks) || blocks.length === 0) refuse(`${at}: content must be non-empty`);
    const results = blocks.filter(({ type }) => type === "tool_result").map((block) => String(block.tool_use_id));
    for (const id of open) {
      if (!results.includes(id))
        refuse(`${at}: tool_use ids were found without tool_result blocks immediately after: ${id}`);
    }
    for (const id of results)
      if (!open.includes(id)) refuse(`${at}: unexpected tool_use_id ${id} in tool_result blocks`);
    if (results.length > 0 && blocks.slice(0, results.length).some(({ type }) => type !== "tool_result")) {
      refuse(`${at}: tool_result blocks must come first`);
    }
    open = [];
    for (const block of blocks) checkBlock(block, role, at, { ids, open }, refuse);
  }
  if (open.length > 0) refuse("tool_use ids were found without tool_result blocks");
  if (before === "assistant")
    refuse("This model does not support assistant message prefill. The conversation must end with a user message.");
}

function checkBlock(
  block: Block,
  role: string,
  at: string,
  calls: { ids: Set<string>; open: string[] },
  refuse: Refuse,
): void {
  if (block.type === "text") {
    if (typeof block.text !== "string" || block.text.trim() === "")
      refuse(`${at}: text content blocks must contain non-whitespace text`);
  } else if (block.type === "tool_use") {
    const id = String(block.id);
    if (role !== "assistant") refuse(`${at}: tool_use blocks can only be in assistant messages`);
    if (!CALL_ID.test(id)) refuse(`${at}: tool_use.id: String should match pattern ${CALL_ID.source}`);
    if (calls.ids.has(id)) refuse(`${at}: tool_use ids must be unique`);
    if (block.input === null || typeof block.input !== "object" || Array.isArray(block.input))
      refuse(`${at}: tool_use.input`);
    calls.ids.add(id);
    calls.open.push(id);
  } else if (block.type === "tool_result") {
    if (role !== "user") refuse(`${at}: tool_result blocks can only be in user messages`);
  } else refuse(`${at}: unexpected block ${block.type}`);
}

function checkTools({ tools, tool_choice: choice }: Json, refuse: Refuse): void {
  if (tools === undefined) {
    if (choice !== undefined) refuse("tool_choice may only be specified while providing tools");
    return;
  }
  const names = new Set<string>();
  for (const [i, tool] of (tools as Json[]).entries()) {
    const at = `tools.${i}`;
    if (!TOOL_NAME.test(String(tool.name))) refuse(`${at}.name: String should match pattern ${TOOL_NAME.source}`);
    if (names.has(String(tool.name))) refuse("tools: Tool names must be unique.");
    names.add(String(tool.name));
    const schema = (tool.input_schema ?? {}) as Json;
    if (schema.type !== "object") refuse(`${at}.input_schema.type: Field required`);
    for (const keyword of ["oneOf", "allOf", "anyOf"]) {
      if (keyword in schema) refuse(`${at}: input_schema does not support oneOf, allOf, or anyOf at the top level`);
    }
    for (const name of Object.keys((schema.properties ?? {}) as Json)) {
      if (!MEMBER_NAME.test(name)) refuse(`${at}: Property keys should match pattern ${MEMBER_NAME.source}`);
    }
  }
}

const CLOSED_REFUSED =
  "minimum maximum multipleOf minLength maxLength maxItems not if then else oneOf patternProperties".split(" ");

/** Checks native structured outputs: closed objects, no bounds, no more than 24 optional members. */
function checkClosed(schema: Json, at: string, refuse: Refuse): void {
  let optional = 0;
  const look = (one: unknown): void => {
    if (one === null || typeof one !== "object") return;
    const part = one as Json;
    if (part.type === "object") {
      if (part.additionalProperties !== false)
        refuse(`${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`);
      const required = new Set((part.required ?? []) as string[]);
      optional += Object.keys((part.properties ?? {}) as Json).filter((name) => !required.has(name)).length;
    }
    for (const keyword of CLOSED_REFUSED)
      if (keyword in part && !Array.isArray(one)) refuse(`${at}: ${keyword} is not supported`);
    const nested = [
      part.items,
      ...Object.values((part.properties ?? {}) as Json),
      ...Object.values((part.$defs ?? {}) as Json),
    ];
    for (const inner of [...nested, ...((part.anyOf ?? []) as unknown[])]) look(inner);
  };
  look(schema);
  if (optional > 24) refuse(`${at}: Schemas contains too many optional parameters (${optional})`);
}
