import type { Executor } from "#src/platform/db/database.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { OutboundError, type OutboundRequest, type SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import { INSPECTOR_PATH, takeArrival } from "./webhook-inspector.ts";

const OWN_PATH = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([\w-]{1,100})((?:[/?].*)?)$/;

interface OwnAddress {
  workspaceId: string;
  token: string;
  target: string;
}

/**
 * Lets a workspace name the inspectors of this service, whose address the guard mostly refuses. Only `checkUrl` allows
 * them: opening a connection there is still refused.
 */
export function allowInspectors(guard: OutboundGuard, publicUrl: string): OutboundGuard {
  return {
    assertAddress: (hostname, ip, port) => guard.assertAddress(hostname, ip, port),
    checkUrl: (url) => (readOwn(publicUrl, url) ? new URL(url) : guard.checkUrl(url)),
  };
}

/** Returns a fetch that delivers requests for an inspector of this service without a connection. */
export function deliverToInspectors(fetch: SafeFetch, db: Executor, publicUrl: string): SafeFetch {
  return async (url, request) => {
    const own = readOwn(publicUrl, url);
    return own ? { ...(await deliver(db, own, request)), truncated: false } : fetch(url, request);
  };
}

function readOwn(publicUrl: string, url: string): OwnAddress | null {
  const prefix = `${publicUrl}${INSPECTOR_PATH}/`;
  const [, workspaceId, token, target = ""] = (url.startsWith(prefix) && OWN_PATH.exec(url.slice(prefix.length))) || [];
  return workspaceId === undefined || token === undefined ? null : { workspaceId, token, target };
}

async function deliver(db: Executor, { workspaceId, token, target }: OwnAddress, request: OutboundRequest) {
  const { method, body = "" } = request;
  if (typeof body !== "string" && !Buffer.isBuffer(body)) {
    throw new OutboundError("BLOCKED", false, "An inspector takes no streams.");
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const arrival = { method, target, headers, bytes: Buffer.from(body), address: null };
  try {
    const status = await db.transaction().execute((tx) => takeArrival(tx, workspaceId, token, arrival));
    return { status, headers: {}, body: Buffer.alloc(0) };
  } catch (error) {
    if (error instanceof AppError) return { status: 404, headers: {}, body: Buffer.alloc(0) };
    throw new OutboundError("CONNECT", false, toError(error).message, error);
  }
}
