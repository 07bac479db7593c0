type Json = Record<string, unknown>;
type Block = Json;

const TOP = new Set(
  `messages system inferenceConfig toolConfig guardrailConfig additionalModelRequestFields
   additionalModelResponseFieldPaths promptVariables performanceConfig requestMetadata serviceTier outputConfig`.split(
    /\s+/,
  ),
);
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Lists the reasons for which the Converse API of Amazon Bedrock refuses a request, by its reference and messages. */
export function findBedrockRefusals(body: Json): string[] {
  const refusals: string[] = [];
  const refuse = (message: string): void => void refusals.push(message);
  for (const name of Object.keys(body)) if (!TOP.has(name)) refuse(`extraneous key [${name}] is not permitted`);
  for (const { text } of ((body.system ?? []) as Block[]).filter((block) => !("cachePoint" in block)))
    if (isBlank(text)) refuse("The text field in the ContentBlock object at system is blank.");
  checkInference((body.inferenceConfig ?? {}) as Json, refuse);
  const hasCalls = checkMessages(body.messages, refuse);
  const tools = checkTools(body.toolConfig as Json | undefined, refuse);
  if (hasCalls && tools === 0)
    refuse("The toolConfig field must be defined when using toolUse and toolResult content blocks.");
  return refusals;
}

type Refuse = (message: string) => void;

function isBlank(text: unknown): boolean {
  return typeof text !== "string" || text.trim() === "";
}

function checkInference({ maxTokens, temperature, ...others }: Json, refuse: Refuse): void {
  if (maxTokens !== undefined && !(Number(maxTokens) >= 1)) refuse("maxTokens failed to satisfy constraint: min 1");
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 1))
    refuse("temperature failed to satisfy constraint: 0..1");
  for (const name of Object.keys(others))
    if (!["topP", "stopSequences"].includes(name)) refuse(`inferenceConfig: extraneous key [${name}]`);
}

/** Returns true when the messages hold calls of tools. */
function checkMessages(messages: unknown, refuse: Refuse): boolean {
  if (!Array.isArray(messages) || messages.length === 0) {
    refuse("A conversation must start with a user message.");
    return false;
  }
  let open: string[] = [];
  let hasCalls = false;
  let before = "assistant";
  for (const [i, { role, content }] of (messages as { role: string; content: Block[] }[]).entries()) {
    const at = `messages.${i}.content`;
    if (role === before)
      refuse(i === 0 ? "A conversation must start with a user message." : `${at}: roles must alternate`);
    before = role;
    if (!Array.isArray(content) || content.length === 0)
      refuse(`The content field in the Message object at ${at} is empty.`);
    for (const block of content)
      if ("text" in block && isBlank(block.text)) refuse(`The text field at ${at} is blank.`);
    const results = content.flatMap(({ toolResult }) => (toolResult ? [toolResult as Json] : []));
    const answered = results.map(({ toolUseId }) => String(toolUseId));
    for (const id of open)
      if (!answered.includes(id)) refuse(`Expected toolResult blocks at ${at} for the following Ids: ${id}`);
    for (const id of answered)
      if (!open.includes(id))
        refuse(`The number of toolResult blocks at ${at} exceeds the toolUse blocks of previous turn`);
    for (const result of results)
      for (const { text } of result.content as Block[])
        if (isBlank(text)) refuse(`The text field of a toolResult at ${at} is blank.`);
    open = checkCalls(role, content, at, refuse);
    hasCalls ||= open.length + results.length > 0;
  }
  if (before === "assistant") refuse("The model does not support assistant message prefill.");
  return hasCalls;
}

function checkCalls(role: string, content: Block[], at: string, refuse: Refuse): string[] {
  const calls = content.flatMap(({ toolUse }) => (toolUse ? [toolUse as Json] : []));
  if (role !== "assistant" && calls.length > 0) refuse(`${at}: toolUse blocks can only be in assistant messages`);
  for (const { toolUseId, name, input } of calls) {
    if (!NAME.test(String(toolUseId))) refuse(`${at}: toolUseId failed to satisfy constraint: ${NAME.source}`);
    if (!NAME.test(String(name))) refuse(`${at}: name failed to satisfy constraint: ${NAME.source}`);
    if (input === null || typeof input !== "object" || Array.isArray(input))
      refuse(`${at}: toolUse.input must be an object`);
  }
  const ids = calls.map(({ toolUseId }) => String(toolUseId));
  if (new Set(ids).size < ids.length) refuse(`${at}: toolUse ids must be unique`);
  return ids;
}

/** Returns the number of tools on offer. */
function checkTools(config: Json | undefined, refuse: Refuse): number {
  if (config === undefined) return 0;
  const tools = (config.tools ?? []) as { toolSpec?: Json; cachePoint?: Json }[];
  if (tools.length === 0) refuse("toolConfig.tools failed to satisfy constraint: min 1");
  const names = new Set<string>();
  for (const { toolSpec } of tools) {
    if (!toolSpec) continue;
    const { name, description, inputSchema } = toolSpec as { name: string; description?: string; inputSchema?: Json };
    if (!NAME.test(name)) refuse(`toolConfig: name failed to satisfy constraint: ${NAME.source}`);
    if (names.has(name)) refuse(`The tool ${name} is already defined at toolConfig.tools.`);
    names.add(name);
    if (description === "") refuse("toolConfig: description failed to satisfy constraint: min 1");
    const schema = inputSchema?.json as Json | undefined;
    if (schema?.type !== "object")
      refuse("The value at toolConfig.tools.toolSpec.inputSchema.json.type must be object.");
  }
  return tools.length;
}
