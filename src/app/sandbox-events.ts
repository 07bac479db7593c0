import { createHmac } from "node:crypto";
import type { Inbox } from "#src/interactions/dispatch/inbox.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { anyObject, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { KeyRing } from "#src/platform/kernel/key-ring.ts";
import { isSameBytes } from "#src/platform/kernel/same-bytes.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { isCarrierEvent } from "#src/telephony/carriers/event-shape.ts";

const PATH = "/api/webhooks/carriers/sandbox/";

/** Way in for the events of a sandbox carrier in its own process. */
export interface SandboxEvents {
  /** Address for the events of a dial. */
  readonly eventsUrl: () => string;
  /** Stores an event; 404 for a wrong token. */
  eventsRoute: Route;
}

/** Opens the way in. The token in the path authenticates the carrier. */
export function openSandboxEvents(inbox: Inbox, keys: KeyRing, publicUrl: string): SandboxEvents {
  // Each dial names the address.
  const tokens = new WeakMap<Buffer, string>();
  const tokenOf = (key: Buffer): string => {
    const token = tokens.get(key) ?? createHmac("sha256", key).update("carrier events").digest("base64url");
    tokens.set(key, token);
    return token;
  };
  const eventsRoute = route({
    audience: "public",
    access: "PUBLIC",
    tag: "Carriers",
    method: "POST",
    path: `${PATH}{token}`,
    summary: "Events of a sandbox carrier in its own process",
    free: true,
    params: Type.Object({ token: Type.String({ maxLength: 100 }) }),
    body: anyObject("One carrier event."),
    replies: { 204: null },
    async run({ params, body }) {
      const given = Buffer.from(params.token);
      const isKnown = keys.all.some((key) => isSameBytes(given, Buffer.from(tokenOf(key))));
      if (!isKnown) throw new AppError("NOT_FOUND");
      if (!isCarrierEvent(body)) throw new AppError("INVALID_BODY", "This is not a carrier event.");
      await inbox.receive("sandbox", body as CarrierEvent);
    },
  });
  return { eventsUrl: () => `${publicUrl}${PATH}${tokenOf(keys.current)}`, eventsRoute };
}
