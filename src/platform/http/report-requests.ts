import { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Admission } from "./admission.ts";
import type { Route } from "./route.ts";
import type { ServedRequest } from "./served-request.ts";

/** An answered request, as it is measured. */
export interface AnsweredRequest {
  method: string;
  /** Path as declared, with {name} for its parameters; "page" for files and pages, "unknown" for paths without a route. */
  route: string;
  status: number;
  durationMs: number;
}

/** Listeners to requests after their answers. */
export interface RequestListeners {
  /** Called for each request of a known caller. A stream of an hour is one long request, reported at its end. */
  onServed?: (served: ServedRequest) => void;
  /** Called for each request from outside but event streams, whose length says nothing. */
  onAnswered?: (answered: AnsweredRequest) => void;
}

interface Reported extends FastifyRequest {
  declared?: Route;
  servedAs?: string;
  refusedOf?: Route | undefined;
  admission?: Admission;
  page?: unknown;
}

/** Reports the requests of a server after their answers. */
export function reportRequests(app: FastifyInstance, { onServed, onAnswered }: RequestListeners): void {
  app.addHook("onResponse", (request: Reported, reply, done) => {
    const caller = request.admission?.caller;
    if (caller && onServed) {
      const { method, url: path, servedAs, ip: address, id: requestId } = request;
      const { statusCode: status, elapsedTime: durationMs } = reply;
      onServed({ method, path, servedAs, status, durationMs, caller, address, requestId });
    }
    if (onAnswered && request.raw.socket instanceof Socket && !isEventStream(reply)) {
      const { statusCode: status, elapsedTime: durationMs } = reply;
      onAnswered({ method: request.method, route: routeOf(request), status, durationMs });
    }
    done();
  });
}

function routeOf(request: Reported): string {
  if (request.page) return "page";
  const declared = request.refusedOf ?? request.declared;
  return declared?.path ?? request.routeOptions.url?.replaceAll(/:(\w+)/g, "{$1}") ?? "unknown";
}

function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader("content-type") ?? "").startsWith("text/event-stream");
}
