import { nullable, Type, Uuid } from "#src/platform/http/schemas.ts";

/** A passage of the knowledge base that the agent looked up for its answer. */
export const Citation = Type.Object(
  {
    itemId: Uuid,
    title: Type.String(),
    position: Type.Integer({ description: "Which passage of the item, from 0." }),
    headings: Type.Array(Type.String(), { description: "Headings above it, the outermost first." }),
    page: nullable(Type.Integer({ description: "Page of a PDF." })),
  },
  { $id: "Citation" },
);
