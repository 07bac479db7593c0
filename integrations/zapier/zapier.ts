/* The part of zapier-platform-core's types that this app uses. */

/** Reply of a request; `data` is its JSON. */
export interface HttpResponse {
  status: number;
  content: string;
  data: unknown;
  getHeader(name: string): string | undefined;
}

/** Options of a request. */
export interface HttpRequest {
  url: string;
  method?: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  params?: Record<string, string | number>;
  body?: object;
  skipThrowForStatus?: boolean;
}

/** Functions that Zapier gives to each perform function. */
export interface ZObject {
  request(options: HttpRequest): Promise<HttpResponse>;
  errors: {
    Error: new (message: string, code?: string, status?: number) => Error;
    ExpiredAuthError: new (message?: string) => Error;
    HaltedError: new (message?: string) => Error;
    ThrottledError: new (message: string, delaySeconds?: number) => Error;
  };
}

/** Data of one run: the account, the fields that were filled in, and for a REST hook what came. */
export interface Bundle {
  authData: Record<string, string>;
  inputData: Record<string, unknown>;
  targetUrl?: string;
  subscribeData?: { id?: string; signingSecret?: string | null };
  rawRequest?: { headers?: Record<string, string>; content?: string };
}

/** A JSON object of the API. */
export type Json = Record<string, unknown>;

/** Function that Zapier runs. */
export type Perform<Result> = (z: ZObject, bundle: Bundle) => Promise<Result>;
