import type { IncomingHttpHeaders } from "node:http";

/** A request that matches no route. */
export interface PageAsk {
  method: string;
  /** Path and query. */
  url: string;
  /** Name and port as the visitor wrote them. */
  host: string;
  headers: IncomingHttpHeaders;
}

/** Answer to such a request. */
export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | string;
}

/** Files and pages beside the routes: the dashboard. */
export interface Pages {
  /** Null: there is no such page. */
  answer(ask: PageAsk): PageAnswer | null;
}
