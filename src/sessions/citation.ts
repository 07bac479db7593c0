import { Type, Uuid } from "#src/http/schemas.ts";

/** A passage of the knowledge base that the agent had looked up for what it said. */
export const Citation = Type.Object(
  {
    itemId: Uuid,
    title: Type.String(),
    position: Type.Integer({ description: "Which passage of the item, from 0." }),
  },
  { $id: "Citation" },
);
