import type { IncomingHttpHeaders } from "node:http";
import {
  createToolTask,
  isAwaited,
  TOOL_TASK_RESPONSE_PATH,
  ToolTaskId,
  ToolTaskSecret,
} from "#src/authoring/tools/tool-task.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { RawJson, rawMembers } from "#src/platform/http/json.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { type Static, Timestamp, Type } from "#src/platform/http/schemas.ts";
import { compileCheck } from "#src/platform/http/validate.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { fieldError, toError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { MASK } from "#src/platform/kernel/mask.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { sealedPayload } from "#src/platform/secrets/sealed-column.ts";
import type { Echo } from "./echo.ts";

/** Kind of the outbox task that sends one callback. */
export const ECHO_TASK = "async-echo";

const DEFAULT_DELAY_SECONDS = 10;
const CallbackUrl = Type.String({ minLength: 1, maxLength: 2_048, description: "Default: the service's own webhook." });

/** Query of the async echo. */
export const AsyncEchoQuery = Type.Object({
  delaySeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 120, description: "Default 10, at most 120." })),
  toolTaskId: Type.Optional(ToolTaskId),
  secret: Type.Optional(ToolTaskSecret),
  callbackUrl: Type.Optional(CallbackUrl),
});
type Parameters = Static<typeof AsyncEchoQuery>;

/** Acknowledgement of the callback to come. */
export const AsyncEchoAccepted = Type.Object(
  {
    status: Type.Literal("ACCEPTED"),
    toolTaskId: Type.String(),
    delaySeconds: Type.Integer(),
    callbackUrl: Type.String({ description: "Where the test result will be sent." }),
    dueAt: Timestamp,
  },
  { $id: "AsyncEchoAccepted" },
);

/** The same parameters as headers; the delay has none. */
export const AsyncEchoHeaders = Type.Object({
  "X-Tool-Task-Id": AsyncEchoQuery.properties.toolTaskId,
  "X-Tool-Secret": AsyncEchoQuery.properties.secret,
  "X-Callback-Url": AsyncEchoQuery.properties.callbackUrl,
});
const checkHeaders = compileCheck(AsyncEchoHeaders, "INVALID_HEADER", "INVALID_HEADER");
const checkBody = compileCheck(AsyncEchoQuery, "INVALID_BODY", "INVALID_BODY");

/** Reads each parameter from the query, else its header, else the JSON body; only the values used are checked. */
export function readParameters(query: Parameters, headers: IncomingHttpHeaders, body: unknown): Parameters {
  const fromHeaders = withoutEmpty({
    "X-Tool-Task-Id": query.toolTaskId === undefined ? headers["x-tool-task-id"] : undefined,
    "X-Tool-Secret": query.secret === undefined ? headers["x-tool-secret"] : undefined,
    "X-Callback-Url": query.callbackUrl === undefined ? headers["x-callback-url"] : undefined,
  });
  checkHeaders(fromHeaders);
  const sent = withoutEmpty({
    delaySeconds: query.delaySeconds,
    toolTaskId: query.toolTaskId ?? fromHeaders["X-Tool-Task-Id"],
    secret: query.secret ?? fromHeaders["X-Tool-Secret"],
    callbackUrl: query.callbackUrl ?? fromHeaders["X-Callback-Url"],
  });
  const fields = typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
  const rest = withoutEmpty(
    Object.fromEntries(
      Object.keys(AsyncEchoQuery.properties)
        .filter((name) => !(name in sent) && Object.hasOwn(fields, name))
        .map((name) => [name, (fields as Record<string, unknown>)[name]]),
    ),
  );
  checkBody(rest);
  return { ...rest, ...sent };
}

function withoutEmpty(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );
}

/** Data for the callback, sealed while it waits: the secret, the URL and the echo may all hold credentials. */
export interface EchoOrder {
  toolTaskId: string;
  secret: string | null;
  /** Null: the service's own webhook, in process. */
  callbackUrl: string | null;
  delaySeconds: number;
  receivedAt: string;
  echo: Echo;
  /** The exact text of a JSON body; `echo` holds null in its place. */
  bodyText?: string;
}

/** Dependencies of scheduling besides the database. */
export interface EchoParts {
  guard: OutboundGuard;
  box: SecretBox;
  publicUrl: string;
}

/** Stores the callback to come. When it goes to the service itself, also stores the tool task that it will end. */
export async function scheduleEcho(
  tx: Executor,
  { guard, box, publicUrl }: EchoParts,
  workspaceId: string,
  parameters: Parameters,
  echo: Echo,
): Promise<Static<typeof AsyncEchoAccepted>> {
  const { delaySeconds = DEFAULT_DELAY_SECONDS, toolTaskId = uuidv7(), secret = null } = parameters;
  const ownUrl = publicUrl + TOOL_TASK_RESPONSE_PATH;
  const callbackUrl = readCallbackUrl(guard, ownUrl, parameters.callbackUrl);
  // The endpoint's purpose is a conversation that waits for this very task, which exists already.
  if (callbackUrl === null && !(await isAwaited(tx, workspaceId, toolTaskId, secret))) {
    await createToolTask(tx, workspaceId, { id: toolTaskId, secret, source: "TEST" });
  }
  const receivedAt = now();
  const dueAt = new Date(receivedAt.getTime() + delaySeconds * 1_000);
  const order: EchoOrder = {
    toolTaskId,
    secret,
    callbackUrl,
    delaySeconds,
    receivedAt: receivedAt.toISOString(),
    ...maskSecret(echo),
  };
  const subjectId = uuidv7();
  const sealed = box.seal(JSON.stringify(order), echoPlace(workspaceId, subjectId)).toString("base64");
  await addTask(tx, workspaceId, { kind: ECHO_TASK, subjectId, payload: { sealed }, dueAt });
  return {
    status: "ACCEPTED",
    toolTaskId,
    delaySeconds,
    callbackUrl: callbackUrl ?? ownUrl,
    dueAt: dueAt.toISOString(),
  };
}

/** Waiting callbacks, as they are stored. */
export const SEALED_ECHOES = sealedPayload("callbacks of the async echo", ECHO_TASK, "sealed", echoPlace);

/** Returns the place that a waiting callback is sealed for. */
export function echoPlace(workspaceId: string, subjectId: string): string {
  return `${workspaceId}|tasks|payload|${subjectId}`;
}

function readCallbackUrl(guard: OutboundGuard, ownUrl: string, text: string | undefined): string | null {
  if (text === undefined || text === ownUrl) return null;
  try {
    return guard.checkUrl(text).href;
  } catch (error) {
    throw fieldError("callbackUrl", "NOT_ALLOWED", toError(error).message);
  }
}

/** Masks the secret that query or body may hold, because the result is stored and shown. */
function maskSecret(echo: Echo): Pick<EchoOrder, "echo" | "bodyText"> {
  const query = Object.hasOwn(echo.query, "secret") ? { ...echo.query, secret: MASK } : echo.query;
  const { body } = echo;
  if (!(body instanceof RawJson)) return { echo: { ...echo, query } };
  return { echo: { ...echo, query, body: null }, bodyText: withoutSecret(body.text) };
}

/** Returns a JSON text with its secret masked; the other members keep their exact text, including digits. */
function withoutSecret(text: string): string {
  if (!text.trimStart().startsWith("{")) return text;
  const members = rawMembers(text);
  if (!members.has("secret")) return text;
  members.set("secret", JSON.stringify(MASK));
  return `{${[...members].map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(",")}}`;
}
