import type { FilledOutput } from "#src/engine/conversation/plan.ts";
import { anyValue, Timestamp, type TSchema, Type } from "#src/platform/http/schemas.ts";

const FilledOutputShape = Type.Object(
  {
    value: anyValue("As the structured output's schema describes it; null when nothing was found."),
    valid: Type.Boolean({ description: "False when the value does not fit the schema." }),
    errors: Type.Array(Type.String()),
    extractedAt: Timestamp,
    sources: Type.Optional(
      Type.Unsafe<Record<string, "ASKED" | "FOUND_AFTERWARDS">>({
        type: "object",
        additionalProperties: { type: "string", enum: ["ASKED", "FOUND_AFTERWARDS"] },
        description: "Where each value comes from; only in sessions with stages.",
      } as unknown as TSchema),
    ),
    pending: Type.Optional(
      Type.Literal(true, { description: "The model failed, and is asked again for some minutes." }),
    ),
  },
  { $id: "FilledOutput" },
);

/** Structured outputs of a session by name, as the API returns them. */
export const FilledOutputs = Type.Unsafe<Record<string, FilledOutput>>({
  type: "object",
  additionalProperties: FilledOutputShape,
  description: "By name; an output that failed is shown with its errors.",
} as unknown as TSchema);
