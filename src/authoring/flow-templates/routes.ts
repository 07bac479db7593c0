import { askNearest } from "#src/platform/http/nearest-name.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { anyObject, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { findTemplate, type FlowTemplate, listTemplates } from "./flow-templates.ts";

const PATH = "/api/external/v1/flow-templates";
const common = { method: "GET", audience: "external", tag: "Flows", access: ["FLOWS_READ"] } as const;

const ListedTemplate = Type.Object(
  {
    name: Type.String({ description: "Names it in a URL and for `parley init`." }),
    title: Type.String(),
    description: Type.String({ description: "What it is for." }),
    language: Type.String({ description: "BCP 47, such as en-US." }),
    collects: Type.Array(Type.String(), { description: "Labels of the fields that its outputs collect." }),
    tools: Type.Array(Type.String(), { description: "Names of the tools that it brings along, all of them mocked." }),
  },
  { $id: "ListedFlowTemplate" },
);

const Template = Type.Object(
  {
    ...ListedTemplate.properties,
    document: anyObject("Body of POST /flows/import."),
    suite: Type.String({ description: "Test suite in YAML; it names the flow as the file ./flow.json." }),
  },
  { $id: "FlowTemplate" },
);

/** Returns the routes for the flows to start from, which are the same in every workspace: extensions. */
export function flowTemplateRoutes(): Route[] {
  return [
    route({
      ...common,
      path: PATH,
      summary: "List the flows to start from (extension)",
      replies: { 200: Type.Array(ListedTemplate) },
      run: async () => listTemplates().map(toListed),
    }),
    route({
      ...common,
      path: `${PATH}/{name}`,
      summary: "Read a flow to start from, with its test suite (extension)",
      params: Type.Object({ name: Type.String({ maxLength: 100, description: "Name of the template." }) }),
      replies: { 200: Template },
      run: async ({ params: { name } }) => {
        const template = findTemplate(name);
        if (!template) {
          const advice = askNearest(
            name,
            listTemplates().map((one) => one.name),
          );
          throw new AppError("NOT_FOUND", `There is no such template.${advice} GET /flow-templates lists them.`);
        }
        return { ...toListed(template), document: { ...template.document }, suite: template.suite };
      },
    }),
  ];
}

function toListed({ name, title, description, language, collects, tools }: FlowTemplate) {
  return { name, title, description, language, collects, tools };
}
