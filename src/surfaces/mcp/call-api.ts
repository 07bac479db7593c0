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
  /** Address of the client for whom it is sent, from which its credential may be used or not. */
  address?: string;
}

/** Answer of the REST API. */
export interface ApiReply {
  status: number;
  text: string;
}

/** Calls the REST API inside the process. A `caller` that is known already is not read again. */
export type CallApi = (request: ApiRequest, caller?: Caller) => Promise<ApiReply>;

/**
 * In-process client for routes of the same server: they receive it before the server exists, and it is opened once it
 * does. A request through it passes every hook but takes no further rate-limit token.
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
