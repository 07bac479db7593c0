import { PROVIDERS } from "#src/authoring/connections/providers.ts";
import type { ToolParts } from "#src/authoring/tools/tools.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { anyObject, nullable, oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { findPack, installPack, listPacks, type ToolPack } from "./tool-packs.ts";

const PATH = "/api/external/v1/tool-packs";
const common = { audience: "external", tag: "Connections" } as const;
const params = Type.Object({ name: Type.String({ maxLength: 100, description: "Name of the pack." }) });

const Listed = Type.Object(
  {
    name: Type.String({ description: "Names it in a URL." }),
    title: Type.String(),
    description: Type.String(),
    provider: oneOf(PROVIDERS, "Of the connection that it needs."),
    settings: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.String(),
        description: Type.String(),
        required: Type.Boolean(),
        default: nullable(Type.String()),
      }),
    ),
    tools: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  },
  { $id: "ListedToolPack" },
);

const Pack = Type.Object(
  { ...Listed.properties, document: anyObject("The pack as a portable document, with the whole of each tool.") },
  { $id: "ToolPack" },
);

const InstallationInput = Type.Object(
  {
    connectionId: Uuid,
    settings: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: "object",
        maxProperties: 20,
        additionalProperties: { type: "string", maxLength: 500 },
        description: "Values by the names of the pack's settings.",
      }),
    ),
  },
  { $id: "ToolPackInstallationInput" },
);

const InstallationReply = Type.Object(
  { tools: Type.Array(Type.Object({ id: Uuid, name: Type.String(), isNew: Type.Boolean() })) },
  { $id: "ToolPackInstallation" },
);

/** Returns the routes of the tool packs, which are the same in every workspace; all extensions. */
export function toolPackRoutes(parts: ToolParts): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: ["TOOLS_READ"],
      summary: "List the tool packs (extension)",
      replies: { 200: Type.Array(Listed) },
      run: async () => listPacks().map(toListed),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{name}`,
      access: ["TOOLS_READ"],
      summary: "Read a tool pack with its tools (extension)",
      params,
      replies: { 200: Pack },
      run: async ({ params: { name } }) => {
        const pack = findPack(name);
        return { ...toListed(pack), document: { ...pack.document } };
      },
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{name}/install`,
      access: ["TOOLS_WRITE"],
      summary: "Make a pack's tools for a connection (extension)",
      description: "Tools that an earlier installation made are brought up to date and keep their ids.",
      idempotent: true,
      params,
      body: InstallationInput,
      replies: { 200: InstallationReply },
      async run({ tx, caller, params: { name }, body: { connectionId, settings = {} } }) {
        const installation = { connectionId, settings };
        return { tools: await installPack(tx, parts, caller.workspaceId, findPack(name), installation) };
      },
    }),
  ];
}

function toListed({ name, document }: ToolPack) {
  const { title, description, provider, settings, tools } = document;
  return {
    name,
    title,
    description,
    provider,
    settings: settings.map(({ required = false, default: usual = null, ...rest }) => ({
      ...rest,
      required,
      default: usual,
    })),
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
  };
}
