import { MODEL_PROVIDERS, REASONING_EFFORTS } from "#src/engine/models/hosted/vendors.ts";
import { anyObject, nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { MASK } from "#src/platform/kernel/mask.ts";

const KINDS = ["CHAT", "EMBEDDING"] as const;

const Headers = Type.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: { type: "string", maxLength: 4_096 },
  maxProperties: 20,
  description: `Sent with each request. Values are sealed at rest and read as ${MASK}; sent back, that keeps the value.`,
});

/** A model for the conversations of flows, or for searches of knowledge bases by meaning. */
export const ConfiguredModel = Type.Object(
  {
    id: Uuid,
    kind: oneOf(KINDS, "CHAT speaks; EMBEDDING turns text into vectors, for searches by meaning."),
    name: Type.String(),
    provider: oneOf(MODEL_PROVIDERS, "Whose protocol the server speaks."),
    baseUrl: nullable(Type.String({ description: "Null: the provider's own." })),
    model: Type.String({ description: "The provider's name of the model; at AZURE_OPENAI that of the deployment." }),
    apiKey: nullable(Type.String({ description: `${MASK} when one is stored.` })),
    temperature: nullable(Type.Number({ description: "Not sent to models that reason: they refuse it." })),
    maxOutputTokens: nullable(
      Type.Integer({ description: "Of one answer, hidden reasoning included; null: as its family needs." }),
    ),
    reasoningEffort: nullable(oneOf(REASONING_EFFORTS, "Null: low for models known to reason, else not sent.")),
    region: nullable(Type.String({ description: "AMAZON_BEDROCK: the region that is asked." })),
    accessKeyId: nullable(
      Type.String({ description: "AMAZON_BEDROCK: the access key whose secret apiKey is; null: a Bedrock API key." }),
    ),
    headers: nullable(Headers),
    extraBody: nullable(anyObject("Members of each request's body, beside the service's own.")),
    isDefault: Type.Boolean({
      description: "Of its kind: flows that name no model speak through it; searches use it.",
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "ConfiguredModel" },
);
export type ConfiguredModel = Static<typeof ConfiguredModel>;

/** Request body of a model's creation or change; on a change, absent fields stay. */
export const ConfiguredModelInput = Type.Object(
  {
    kind: Type.Optional(oneOf(KINDS, "Default CHAT; cannot be changed later.")),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    provider: oneOf(MODEL_PROVIDERS),
    baseUrl: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 2_048,
          description: "Such as https://host/v1; AZURE_OPENAI: the resource's endpoint.",
        }),
      ),
    ),
    model: Type.String({ minLength: 1, maxLength: 200 }),
    apiKey: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 2_048, description: "Sealed at rest." }))),
    temperature: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 2 }))),
    maxOutputTokens: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 64,
          maximum: 200_000,
          description: "Of one answer, hidden reasoning included; null: as its family needs.",
        }),
      ),
    ),
    reasoningEffort: Type.Optional(
      nullable(oneOf(REASONING_EFFORTS, "Not for ANTHROPIC and AMAZON_BEDROCK; what a model refuses is left out.")),
    ),
    region: Type.Optional(
      nullable(
        Type.String({
          pattern: "^[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}$",
          description: "AMAZON_BEDROCK: such as eu-west-1.",
        }),
      ),
    ),
    accessKeyId: Type.Optional(
      nullable(
        Type.String({
          pattern: "^[A-Za-z0-9]{16,128}$",
          description: "AMAZON_BEDROCK: sign requests with this access key; apiKey is its secret.",
        }),
      ),
    ),
    headers: Type.Optional(nullable(Headers)),
    extraBody: Type.Optional(
      nullable(
        anyObject(
          "Members of each request's body, merged into the service's own; AMAZON_BEDROCK: additionalModelRequestFields. At most 8 KiB.",
        ),
      ),
    ),
    isDefault: Type.Optional(Type.Boolean()),
  },
  { $id: "ConfiguredModelInput" },
);
export type ConfiguredModelInput = Static<typeof ConfiguredModelInput>;

/** Request body of a model's change: the fields that change. */
export const ConfiguredModelChange = Type.Partial(ConfiguredModelInput, { $id: "ConfiguredModelChange" });
export type ConfiguredModelChange = Static<typeof ConfiguredModelChange>;
