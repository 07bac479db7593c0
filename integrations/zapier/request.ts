import type { Bundle, HttpRequest, HttpResponse, Json, ZObject } from "./zapier";

const API = "/api/external/v1";
const DEFAULT_REST_SECONDS = 60;

type ApiRequest = Omit<HttpRequest, "url"> & { path: string };

/** Sends a request to the account's server, and returns the reply's body; an empty one is `{}`. */
export async function send(z: ZObject, bundle: Bundle, request: ApiRequest): Promise<Json> {
  const reply = await ask(z, bundle, request);
  if (reply.status >= 400) throw refusalOf(z, reply);
  return reply.content === "" ? {} : (reply.data as Json);
}

/** Reads one thing; null where there is none. */
export async function find(z: ZObject, bundle: Bundle, path: string): Promise<Json | null> {
  const reply = await ask(z, bundle, { path });
  if (reply.status === 404) return null;
  if (reply.status >= 400) throw refusalOf(z, reply);
  return reply.data as Json;
}

function ask(z: ZObject, bundle: Bundle, { path, ...options }: ApiRequest): Promise<HttpResponse> {
  const url = `${String(bundle.authData.baseUrl).trim().replace(/\/+$/, "")}${API}${path}`;
  const headers = { ...options.headers, "X-API-Key": String(bundle.authData.apiKey).trim() };
  return z.request({ ...options, url, headers, skipThrowForStatus: true });
}

/** Sends what dials or writes; a repeat with the same key does it once. */
export function post(z: ZObject, bundle: Bundle, path: string, body: Json): Promise<Json> {
  const key = textOf(bundle, "repeatKey");
  return send(z, bundle, { method: "POST", path, body, headers: key === "" ? {} : { "Idempotency-Key": key } });
}

/** Returns a filled-in field as text, trimmed; empty when it was left out. */
export function textOf({ inputData }: Bundle, name: string): string {
  const value = inputData[name];
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

/** Returns the filled-in ones of these fields, by the API's names for them. */
export function filled(bundle: Bundle, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, textOf(bundle, name)]).filter(([, value]) => value !== ""));
}

/** Returns a dictionary field; empty when it was left out. */
export function dictionaryOf({ inputData }: Bundle, name: string): Json {
  const value = inputData[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Returns the error for a refusal, with the fields that were wrong. */
function refusalOf(z: ZObject, reply: HttpResponse): Error {
  const { error, message, details } = objectOf(reply.data);
  const fields = Array.isArray(details) ? details.map(describeDetail) : [];
  const said = [message, error].find((one) => typeof one === "string") ?? `The server answered ${reply.status}.`;
  const text = [said, ...fields].join(" ");
  if (reply.status === 401) return new z.errors.ExpiredAuthError(text);
  if (reply.status === 429) return new z.errors.ThrottledError(text, restSeconds(reply));
  return new z.errors.Error(text, typeof error === "string" ? error : "RefusedError", reply.status);
}

function describeDetail(detail: unknown): string {
  const { path, message } = objectOf(detail);
  return [path, message].filter((one) => typeof one === "string").join(": ");
}

function restSeconds(reply: HttpResponse): number {
  return Number(reply.getHeader("retry-after") ?? reply.getHeader("x-ratelimit-reset")) || DEFAULT_REST_SECONDS;
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}
