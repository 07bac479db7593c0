import { expect, test } from "vitest";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { KNOWN_PROVIDERS } from "./providers.ts";
import { refreshTokens } from "./token-endpoint.ts";

// Slack answers errors with status 200; those of its own servers say nothing about the token (docs.slack.dev, errors of
// oauth.v2.access).
test.each([
  ["fatal_error", "UNAVAILABLE"],
  ["internal_error", "UNAVAILABLE"],
  ["service_unavailable", "UNAVAILABLE"],
  ["request_timeout", "UNAVAILABLE"],
  ["team_added_to_org", "UNAVAILABLE"],
  ["ratelimited", "UNAVAILABLE"],
  ["invalid_refresh_token", "REFUSED"],
])("a refresh that Slack answers with %s is %s", async (error, kind) => {
  const answer: SafeFetch = async () => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ ok: false, error })),
    truncated: false,
  });
  const client = { provider: KNOWN_PROVIDERS.SLACK, clientId: "1", clientSecret: "s", authentication: "POST" } as const;
  expect((await refreshTokens(answer, client, "xoxe-1")).kind).toBe(kind);
});
