import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dropEmpty, render, type Scope } from "./iml.ts";

type Json = Record<string, unknown>;

interface Request {
  url: string;
  method: string;
  qs?: Json;
  headers?: Json;
  body?: unknown;
  pagination?: { condition: string; qs: Json };
  response?: {
    valid?: { condition: string };
    error?: Json;
    iterate?: string;
    output?: unknown;
    data?: Json;
    limit?: string;
  };
}

/** A component as makecomapp.json lists it. */
interface Component {
  label: string;
  connection?: string;
  webhook?: string;
  codeFiles: Record<string, string | null>;
}

/** Manifest of an app for Make. */
export interface Manifest {
  generalCodeFiles: Record<string, string | null>;
  components: Record<"connection" | "webhook" | "module" | "rpc", Record<string, Component>>;
}

/** An answer that the app's own `valid` condition refuses, with the message that it makes of it. */
export class Refused extends Error {}

/** An app for Make, run by the rules of Make's documentation as far as this app uses them. */
export class MakeApp {
  readonly manifest: Manifest;
  readonly #folder: string;
  readonly #connection: { baseUrl: string; apiKey: string };

  constructor(folder: string, connection: { baseUrl: string; apiKey: string }) {
    this.#folder = folder;
    this.#connection = connection;
    this.manifest = this.read("makecomapp.json") as Manifest;
  }

  /** Reads a file of the app. */
  read(path: string): unknown {
    return JSON.parse(readFileSync(join(this.#folder, path), "utf8"));
  }

  /** Reads one part of a component, such as its interface. */
  part(kind: keyof Manifest["components"], name: string, code: string): unknown {
    return this.read(this.manifest.components[kind][name]?.codeFiles[code] ?? "");
  }

  /** Checks a connection as Make does when it is made. */
  async connect(parameters: Json): Promise<void> {
    const request = this.part("connection", "parley", "communication") as Request;
    await this.#send(request, { parameters });
  }

  /** Runs a module or an RPC; returns its bundles. */
  async run(kind: "module" | "rpc", name: string, parameters: Json = {}): Promise<Json[]> {
    const request = this.#complete(this.part(kind, name, "communication") as Request);
    const scope = { parameters, connection: this.#connection };
    const limit = Number(render(request.response?.limit ?? "Infinity", scope));
    const bundles: Json[] = [];
    for (let qs = request.qs ?? {}; ;) {
      const answer = await this.#send({ ...request, qs }, scope);
      bundles.push(...bundlesOf(request, { ...scope, ...answer }));
      const { pagination } = request;
      if (!pagination || bundles.length >= limit || !render(pagination.condition, { ...scope, ...answer })) break;
      qs = { ...qs, ...(render(pagination.qs, { ...scope, ...answer }) as Json) };
    }
    return bundles.slice(0, limit);
  }

  /** Registers the webhook at a URL; returns what Make keeps of it. */
  async attach(url: string, parameters: Json): Promise<Json> {
    const request = this.#complete(this.part("webhook", "events", "attach") as Request);
    const scope = { parameters, connection: this.#connection, webhook: { url } };
    const answer = await this.#send(request, scope);
    return { url, ...(render(request.response?.data, { ...scope, ...answer }) as Json) };
  }

  /** Takes a delivery; returns its bundle, or null where the app drops it. */
  receive(webhook: Json, headers: Json, body: Json): Json | null {
    const { condition, output } = this.part("webhook", "events", "communication") as Json;
    const scope = { webhook, headers, body };
    return render(condition, scope) === true ? (render(output, scope) as Json) : null;
  }

  /** Removes the webhook. */
  async detach(webhook: Json): Promise<void> {
    const request = this.#complete(this.part("webhook", "events", "detach") as Request);
    await this.#send(request, { parameters: {}, connection: this.#connection, webhook });
  }

  /** Adds what all requests inherit from the base. */
  #complete(request: Request): Request {
    const base = this.read(this.manifest.generalCodeFiles.base ?? "") as Request & { baseUrl: string };
    return {
      ...request,
      url: base.baseUrl + request.url,
      headers: { ...base.headers, ...request.headers },
      response: { ...base.response, ...request.response },
    };
  }

  async #send({ url, method, qs, headers, body, response }: Request, scope: Scope): Promise<Json> {
    const address = new URL(render(url, scope) as string);
    for (const [name, value] of Object.entries(dropEmpty(render(qs ?? {}, scope)) as Record<string, string>)) {
      address.searchParams.set(name, value);
    }
    const sent = body === undefined ? undefined : JSON.stringify(dropEmpty(render(body, scope)));
    const reply = await fetch(address, {
      method,
      headers: {
        ...(render(headers ?? {}, scope) as Record<string, string>),
        ...(sent === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await reply.text();
    const answer = { statusCode: reply.status, body: text === "" ? {} : (JSON.parse(text) as Json) };
    if (render(response?.valid?.condition ?? "", { ...scope, ...answer }) === true) return answer;
    const { [String(reply.status)]: own, message } = response?.error ?? {};
    throw new Refused(String(render((own as Json | undefined)?.message ?? message, { ...scope, ...answer })));
  }
}

function bundlesOf({ response }: Request, scope: Scope): Json[] {
  if (response?.iterate === undefined) return [render(response?.output, scope) as Json];
  const items = render(response.iterate, scope) as Json[];
  return items.map((item) => render(response.output, { ...scope, item }) as Json);
}
