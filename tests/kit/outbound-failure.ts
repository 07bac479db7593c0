import { OutboundError } from "#src/platform/http/guarded-connector.ts";

/** Returns how an outbound request failed; throws when it did not, or failed otherwise. */
export async function failureOf(reply: Promise<unknown>): Promise<{ kind: string; bytesSent: boolean }> {
  const error: unknown = await reply.then(
    () => new Error("It did not fail."),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw error as Error;
  return { kind: error.kind, bytesSent: error.bytesSent };
}
