import type { IDataObject, IExecuteFunctions } from "n8n-workflow";
import { request } from "../../shared/request";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const FLOWS_A_PAGE = 200;

type Operation = (node: IExecuteFunctions, item: number) => Promise<IDataObject | IDataObject[]>;

/** Work of the node for one item, by operation. */
export const OPERATIONS: Record<string, Operation> = {
  placeCall,
  getCall,
  createJob,
  addRows,
  startChat,
  sendMessage,
  listFlows,
};

async function placeCall(node: IExecuteFunctions, item: number): Promise<IDataObject> {
  const body = {
    customerNumber: textOf(node, "phoneNumber", item),
    ...flowOf(node, item),
    ...optional("contactName", textOf(node, "contactName", item)),
    rowData: jsonOf(node, "rowData", item),
    contextData: jsonOf(node, "contextData", item),
  };
  const placed = await post(node, item, "/outbound/calls", body);
  return node.getNodeParameter("wait", item, false) === true ? waitForEnd(node, item, String(placed.rowId)) : placed;
}

async function getCall(node: IExecuteFunctions, item: number): Promise<IDataObject> {
  const id = textOf(node, "callId", item);
  if (node.getNodeParameter("wait", item, false) === true) return waitForEnd(node, item, id);
  return request(node, { method: "GET", path: `/call-rows/${encodeURIComponent(id)}` });
}

async function waitForEnd(node: IExecuteFunctions, item: number, id: string): Promise<IDataObject> {
  const seconds = Number(node.getNodeParameter("waitSeconds", item, 900));
  const deadlineMs = Date.now() + seconds * 1_000;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
    const call = await request(node, { method: "GET", path: `/call-rows/${encodeURIComponent(id)}` });
    if (call.endedAt != null) return call;
    if (Date.now() + waitMs > deadlineMs) throw new Error(`The call ${id} is not over after ${seconds} s.`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

function createJob(node: IExecuteFunctions, item: number): Promise<IDataObject> {
  const name = optional("name", textOf(node, "jobName", item));
  return post(node, item, "/call-jobs", { ...name, ...flowOf(node, item), rows: rowsOf(node, item) });
}

function addRows(node: IExecuteFunctions, item: number): Promise<IDataObject> {
  const id = encodeURIComponent(textOf(node, "jobId", item));
  return post(node, item, `/call-jobs/${id}/rows`, { rows: rowsOf(node, item) });
}

function startChat(node: IExecuteFunctions, item: number): Promise<IDataObject> {
  return post(node, item, "/outbound/chats", {
    channel: textOf(node, "channel", item),
    ...flowOf(node, item),
    ...optional("contactPhone", textOf(node, "phoneNumber", item)),
    ...optional("contactName", textOf(node, "contactName", item)),
    contextData: jsonOf(node, "contextData", item),
  });
}

function sendMessage(node: IExecuteFunctions, item: number): Promise<IDataObject> {
  const id = encodeURIComponent(textOf(node, "chatId", item));
  return post(node, item, `/chat-sessions/${id}/messages`, { content: textOf(node, "message", item) });
}

async function listFlows(node: IExecuteFunctions): Promise<IDataObject[]> {
  const flows: IDataObject[] = [];
  for (let cursor: unknown = ""; cursor !== null && cursor !== undefined;) {
    const qs = { size: FLOWS_A_PAGE, ...(cursor === "" ? {} : { cursor }) };
    const page = await request(node, { method: "GET", path: "/flows", qs });
    flows.push(...((page.content ?? []) as IDataObject[]));
    cursor = page.nextCursor;
  }
  return flows;
}

/**
 * Sends what dials or writes once: n8n repeats a node that failed, with the same execution, run and item, so the server
 * knows the repeat by its key. Each instance of n8n numbers its executions, and a copied workflow keeps its nodes' ids.
 */
function post(node: IExecuteFunctions, item: number, path: string, body: IDataObject): Promise<IDataObject> {
  const execution = node.getExecutionId();
  const run = node.getWorkflowDataProxy(item).$runIndex;
  const key = `n8n-${node.getInstanceId()}-${execution}-${node.getNode().id}-${run}-${item}`;
  return request(node, { method: "POST", path, body, headers: execution ? { "Idempotency-Key": key } : {} });
}

function textOf(node: IExecuteFunctions, name: string, item: number): string {
  const value: unknown = node.getNodeParameter(name, item, "");
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

function jsonOf(node: IExecuteFunctions, name: string, item: number): IDataObject {
  const value: unknown = node.getNodeParameter(name, item, "{}");
  const parsed: unknown = typeof value === "string" ? JSON.parse(value || "{}") : value;
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new Error(`${name} must be an object.`);
  return parsed as IDataObject;
}

function rowsOf(node: IExecuteFunctions, item: number): IDataObject[] {
  const value: unknown = node.getNodeParameter("rows", item, "[]");
  const parsed: unknown = typeof value === "string" ? JSON.parse(value) : value;
  if (!Array.isArray(parsed)) throw new Error("Rows must be a list of objects.");
  return parsed as IDataObject[];
}

function flowOf(node: IExecuteFunctions, item: number): IDataObject {
  return optional("flowId", textOf(node, "flow", item));
}

function optional(name: string, value: string): IDataObject {
  return value === "" ? {} : { [name]: value };
}
