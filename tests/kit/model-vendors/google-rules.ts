type Json = Record<string, unknown>;
interface Content {
  role: string;
  parts: Json[];
}

const TOP = new Set(
  "contents systemInstruction generationConfig tools toolConfig safetySettings cachedContent labels".split(" "),
);
const CONFIG = new Set(
  `maxOutputTokens temperature topP topK stopSequences seed candidateCount responseMimeType responseSchema
   responseJsonSchema responseModalities thinkingConfig presencePenalty frequencyPenalty`.split(/\s+/),
);
/** JSON Schema keywords that Gemini's reference lists for responseJsonSchema. */
const KEYWORDS = new Set(
  `$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum anyOf
   oneOf properties additionalProperties required propertyOrdering`.split(/\s+/),
);
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/** Lists the reasons for which Google's generateContent refuses a request, by its reference and its error messages. */
export function findGoogleRefusals(body: Json): string[] {
  const refusals: string[] = [];
  const refuse = (message: string): void => void refusals.push(message);
  for (const name of Object.keys(body)) if (!TOP.has(name)) refuse(`Unknown name "${name}": Cannot find field.`);
  const config = (body.generationConfig ?? {}) as Json;
  for (const name of Object.keys(config))
    if (!CONFIG.has(name)) refuse(`Unknown name "${name}" at 'generation_config'`);
  const { temperature, maxOutputTokens, responseJsonSchema } = config;
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 2))
    refuse("temperature must be in the range [0.0, 2.0]");
  if (maxOutputTokens !== undefined && !(Number(maxOutputTokens) >= 1)) refuse("max_output_tokens must be positive");
  if (responseJsonSchema !== undefined) {
    if (config.responseMimeType !== "application/json") refuse("response_mime_type must be application/json");
    checkSchema(responseJsonSchema, "response_json_schema", refuse);
  }
  const system = body.systemInstruction as Content | undefined;
  if (system) checkParts({ role: "user", parts: system.parts }, "system_instruction", refuse);
  checkContents(body.contents, refuse);
  checkTools(body.tools, refuse);
  return refusals;
}

type Refuse = (message: string) => void;

function checkParts({ parts }: Content, at: string, refuse: Refuse): void {
  if (!Array.isArray(parts) || parts.length === 0) return refuse(`${at}: contents.parts must not be empty.`);
  for (const part of parts) {
    const known = ["text", "functionCall", "functionResponse"].filter((name) => name in part);
    if (known.length !== 1) refuse(`${at}: required oneof field 'data' must have one initialized field`);
    if ("text" in part && String(part.text).trim() === "")
      refuse(`${at}: Unable to submit request because it must have a text parameter`);
  }
}

function checkContents(contents: unknown, refuse: Refuse): void {
  if (!Array.isArray(contents) || contents.length === 0) return refuse("contents is not specified");
  let before: Content | undefined;
  for (const [i, content] of (contents as Content[]).entries()) {
    const at = `contents[${i}]`;
    if (!["user", "model"].includes(content.role)) refuse(`Please use a valid role: user, model. (${content.role})`);
    if (i === 0 && content.role !== "user") refuse("Please ensure that the first turn is of the user.");
    checkParts(content, at, refuse);
    const calls = partsOf(content, "functionCall");
    const answers = partsOf(content, "functionResponse");
    const asked = before ? partsOf(before, "functionCall") : [];
    if (calls.length > 0 && before?.role !== "user") {
      refuse(
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
      );
    }
    if (answers.length !== asked.length || answers.some(({ name }, n) => name !== asked[n]?.name)) {
      refuse(
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      );
    }
    for (const { response } of answers) {
      if (response === null || typeof response !== "object" || Array.isArray(response))
        refuse(`${at}: function_response.response`);
    }
    before = content;
  }
  if (before && partsOf(before, "functionCall").length > 0)
    refuse("Please ensure that a function response turn follows.");
  if (before?.role === "model") refuse("Please ensure that single turn requests end with a user role.");
}

function partsOf(content: Content, name: "functionCall" | "functionResponse"): Json[] {
  return content.parts.flatMap((part) => (name in part ? [part[name] as Json] : []));
}

function checkTools(tools: unknown, refuse: Refuse): void {
  for (const { functionDeclarations } of (tools ?? []) as { functionDeclarations?: Json[] }[]) {
    const names = new Set<string>();
    for (const declaration of functionDeclarations ?? []) {
      const name = String(declaration.name);
      if (!NAME.test(name)) refuse(`Invalid function name ${name}.`);
      if (names.has(name)) refuse(`Duplicate function declaration found: ${name}`);
      names.add(name);
      if (typeof declaration.description !== "string" || declaration.description === "") refuse(`${name}: description`);
      const schema = (declaration.parametersJsonSchema ?? declaration.parameters) as Json | undefined;
      if (schema === undefined) continue;
      if (schema.type !== "object") refuse(`${name}: parameters schema should be of type OBJECT`);
      checkSchema(schema, name, refuse);
    }
  }
}

function checkSchema(schema: unknown, at: string, refuse: Refuse): void {
  if (typeof schema === "boolean") return;
  const part = schema as Json;
  for (const keyword of Object.keys(part))
    if (!KEYWORDS.has(keyword)) refuse(`Unknown name "${keyword}" at '${at}': Cannot find field.`);
  if (part.type === "array" && !("items" in part)) refuse(`${at}.items: missing field.`);
  const required = (part.required ?? []) as string[];
  const names = Object.keys((part.properties ?? {}) as Json);
  for (const name of required) if (!names.includes(name)) refuse(`${at}.required: property is not defined: ${name}`);
  const nested = [...Object.values((part.properties ?? {}) as Json), ...Object.values((part.$defs ?? {}) as Json)];
  for (const inner of [...nested, ...((part.anyOf ?? part.oneOf ?? []) as unknown[])]) checkSchema(inner, at, refuse);
  if (part.items !== undefined) checkSchema(part.items, at, refuse);
}
