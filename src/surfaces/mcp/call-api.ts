import type { FastifyInstance } from "fastify";
import { callInProcess } from "#src/platform/http/in-process.ts";
import type { Caller } from "#src/platform/http/route.ts";

/** One request to the REST API. */
export interface ApiRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query. */
  path: string;
  /** JSON text. */
  body?: string;
  headers?: Record<string, string>;
}

/** What the REST API answered. */
export interface ApiReply {
  status: number;
  text: string;
}

/** Calls the REST API inside the process. `caller`, when it is known already, is not read again. */
export type CallApi = (request: ApiRequest, caller?: Caller) => Promise<ApiReply>;

/**
 * The way into the server for routes of that same server: it is handed to them before the server exists and
 * opened once it does. A request through it passes every hook but draws no further rate-limit token.
 */
export class InProcessClient {
  #app: FastifyInstance | undefined;

  open(app: FastifyInstance): void {
    this.#app = app;
  }

  readonly call: CallApi = async ({ headers = {}, ...request }, caller) => {
    if (!this.#app) throw new Error("The server is not built yet.");
    return callInProcess(this.#app, { ...request, headers, caller });
  };
}
