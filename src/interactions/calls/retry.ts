import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { RETRYABLE_OUTCOMES, type RowOutcome } from "./states.ts";

/** Retry settings: outcomes, attempts and delays. */
export const RetryConfigInput = Type.Object(
  {
    maxAttempts: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 10, description: "The first one included. Default 3." })),
    ),
    retryOn: Type.Optional(
      nullable(Type.Array(oneOf(RETRYABLE_OUTCOMES), { description: "Default BUSY and NO_ANSWER." })),
    ),
    delaysSeconds: Type.Optional(
      nullable(
        Type.Array(Type.Integer({ minimum: 0, maximum: 2_592_000 }), {
          minItems: 1,
          maxItems: 10,
          description: "Wait before each retry; the last one repeats. Default 1800, 3600, 7200.",
        }),
      ),
    ),
    jitterPercent: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 50, description: "Default 10." }))),
  },
  { $id: "RetryConfig" },
);

/** Retry settings with every default filled in. */
export const RetryConfig = Type.Object(
  {
    maxAttempts: Type.Integer({ description: "The first one included." }),
    retryOn: Type.Array(oneOf(RETRYABLE_OUTCOMES)),
    delaysSeconds: Type.Array(Type.Integer(), { description: "Wait before each retry; the last one repeats." }),
    jitterPercent: Type.Integer(),
  },
  { $id: "StoredRetryConfig", description: "With every default filled in." },
);
export type RetryConfig = Static<typeof RetryConfig>;

/** Fills in the defaults of absent fields. */
export function readRetryConfig(
  input: Static<typeof RetryConfigInput> | null | undefined,
  maxAttempts: number,
): RetryConfig {
  return {
    maxAttempts: input?.maxAttempts ?? maxAttempts,
    retryOn: input?.retryOn ?? ["BUSY", "NO_ANSWER"],
    delaysSeconds: input?.delaysSeconds ?? [1_800, 3_600, 7_200],
    jitterPercent: input?.jitterPercent ?? 10,
  };
}

/**
 * Returns the wait before the next attempt in milliseconds of call time, or null when the outcome is final. `random`
 * returns numbers in [0, 1).
 */
export function retryDelayMs(
  config: RetryConfig,
  outcome: RowOutcome,
  attemptsMade: number,
  random: () => number,
): number | null {
  const retried = (config.retryOn as string[]).includes(outcome);
  if (!retried || attemptsMade >= config.maxAttempts) return null;
  const delay = config.delaysSeconds[Math.min(attemptsMade, config.delaysSeconds.length) - 1] ?? 0;
  const spread = 1 + ((random() * 2 - 1) * config.jitterPercent) / 100;
  return Math.round(delay * 1000 * spread);
}
