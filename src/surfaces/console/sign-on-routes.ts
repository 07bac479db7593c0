import type { Executor } from "#src/platform/db/database.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { randomText } from "#src/platform/kernel/id.ts";
import { getProviderNames } from "#src/tenancy/sign-on/identity-providers.ts";
import { SignOnFault } from "#src/tenancy/sign-on/sign-on-fault.ts";
import { ATTEMPT_SECONDS, beginSignOn, finishSignOn, type SignOnParts } from "#src/tenancy/sign-on/sign-on.ts";
import { visitorOf } from "#src/tenancy/users/sign-in.ts";
import type { ConsoleSettings } from "./console.ts";
import { keepToken, readToken, stepCookie, TOKEN_LENGTH } from "./cookie.ts";

/** Dependencies of the routes. */
export interface SignOnRouteParts {
  signOn: SignOnParts;
  console: Pick<ConsoleSettings, "cookie" | "isSafe">;
  publicUrl: string;
}

const PATH = "/api/sign-on/{key}";
const params = Type.Object({ key: Type.String({ maxLength: 40 }) });
/** A browser comes here from another site, which routes of the dashboard refuse. */
const open = { audience: "public", access: "PUBLIC", tag: "Sign-on", method: "GET" } as const;

/** Returns the routes by which a browser leaves for an identity provider and comes back. */
export function signOnRoutes(parts: SignOnRouteParts): Route[] {
  return [startRoute(parts), callbackRoute(parts)];
}

/** Returns the route that names the identity providers on the sign-in page. */
export function providerNamesRoute(db: Executor): Route {
  return route({
    audience: "console",
    access: "PUBLIC",
    tag: "Sign-in",
    method: "GET",
    path: "/api/console/sign-on",
    summary: "Identity providers by which one can sign in",
    replies: { 200: Type.Array(Type.Object({ key: Type.String(), name: Type.String() }, { $id: "ProviderName" })) },
    run: () => getProviderNames(db),
  });
}

function startRoute({ signOn, console, publicUrl }: SignOnRouteParts): Route {
  return route({
    ...open,
    path: `${PATH}/start`,
    summary: "Go to an identity provider to sign in",
    params,
    query: Type.Object({ next: Type.Optional(Type.String({ maxLength: 2_000, description: "Path to open then." })) }),
    replies: { 302: null },
    run: (request) =>
      orFault(publicUrl, async () => {
        if (!console.isSafe) throw new SignOnFault("UNSAFE");
        const style = stepCookie(console.cookie, "sign-on");
        // Tabs that sign in at the same time share the token.
        const browserToken = readToken(request.headers, style) ?? randomText(TOKEN_LENGTH);
        const next = readNext(publicUrl, request.query.next);
        const url = await beginSignOn(signOn, { key: request.params.key, next, browserToken });
        return redirect(url, keepToken(browserToken, style, ATTEMPT_SECONDS));
      }),
  });
}

function callbackRoute({ signOn, console, publicUrl }: SignOnRouteParts): Route {
  return route({
    ...open,
    path: `${PATH}/callback`,
    summary: "Come back from an identity provider",
    params,
    replies: { 302: null },
    run: (request) =>
      orFault(publicUrl, async () => {
        const { opened, next } = await finishSignOn(signOn, {
          key: request.params.key,
          query: request.url.split(/\?(.*)/s)[1] ?? "",
          browserToken: readToken(request.headers, stepCookie(console.cookie, "sign-on")),
          visitor: visitorOf(request),
        });
        return redirect(publicUrl + next, keepToken(opened.token, console.cookie));
      }),
  });
}

/** A page shows the fault in words: whoever is here looks at a browser. */
async function orFault(publicUrl: string, run: () => Promise<Reply>): Promise<Reply> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof SignOnFault) return redirect(`${publicUrl}/sign-in?fault=${error.code}`);
    if (error instanceof AppError && error.status < 500) return redirect(`${publicUrl}/sign-in?fault=EXPIRED`);
    throw error;
  }
}

function redirect(location: string, headers: Record<string, string> = {}): Reply {
  return new Reply(302, undefined, {
    location,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    ...headers,
  });
}

/** Returns the path to open after the sign-in, only within this dashboard. */
function readNext(publicUrl: string, next = "/"): string {
  const base = new URL(publicUrl);
  const url = URL.canParse(next, base.href) ? new URL(next, base.href) : base;
  // Two slashes at the beginning would name another host.
  const isOwn = url.origin === base.origin && url.username === "" && !url.pathname.startsWith("//");
  return isOwn ? url.pathname + url.search : "/";
}
