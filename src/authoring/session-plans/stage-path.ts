import { nullable, Timestamp, Type } from "#src/platform/http/schemas.ts";

/** Path of a session through the stages of its flow, as the API returns it. */
export const StagePath = Type.Array(
  Type.Object(
    {
      stageId: Type.String({
        description: "Behind the id of a SUBFLOW and a point where it belongs to the flow that runs there.",
      }),
      stageName: Type.String(),
      enteredAt: Timestamp,
      leftAt: nullable(Timestamp),
      edgeId: nullable(Type.String({ description: "Edge by which it was left; null: by another way, or not at all." })),
      turnIndex: Type.Integer({ description: "Index of the line of the transcript that followed." }),
      isTransferred: Type.Optional(
        Type.Boolean({
          description: "True in a flow to which the session was transferred; absent in its own.",
        }),
      ),
    },
    { $id: "StageVisit" },
  ),
  { maxItems: 500, description: "Stages that the session walked through, in their order. (extension)" },
);
