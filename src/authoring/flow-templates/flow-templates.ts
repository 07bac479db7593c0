import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A flow to start from, with the suite that proves it. */
export interface FlowTemplate {
  /** Name of its folder. */
  name: string;
  title: string;
  description: string;
  language: string;
  /** Labels of the fields that its outputs collect. */
  collects: string[];
  /** Names of the tools that it brings along. */
  tools: string[];
  /** The flow with its tools and outputs, as an import takes it. */
  document: TemplateDocument;
  /** Test suite in YAML, which names the flow as the file `./flow.json`. */
  suite: string;
}

/** The parts of a document that a template is listed by; the rest is the importer's. */
interface TemplateDocument {
  format: string;
  formatVersion: number;
  flow: { name: string; description: string; language: string };
  tools: { id: string; name: string }[];
  structuredOutputs: { id: string; schema: { properties: Record<string, { title: string }> } }[];
}

/** Beside the bundled program where this is part of the command line's package, else in the checkout. */
const PLACES = ["../templates/", "../../../templates/"].map((place) => new URL(place, import.meta.url));
const FOLDER = PLACES.find((place) => existsSync(place)) as URL;

let known: FlowTemplate[] | undefined;

/** Returns all templates by title; their files are read at the first request. */
export function listTemplates(): FlowTemplate[] {
  known ??= readdirSync(FOLDER)
    .map(readTemplate)
    .toSorted((a, b) => a.title.localeCompare(b.title, "en"));
  return known;
}

/** Returns the template with a requested name; undefined when there is none. */
export function findTemplate(name: string): FlowTemplate | undefined {
  return listTemplates().find((template) => template.name === name);
}

function readTemplate(name: string): FlowTemplate {
  const read = (file: string) => readFileSync(new URL(`${name}/${file}`, FOLDER), "utf8");
  const document = JSON.parse(read("flow.json")) as TemplateDocument;
  const { flow, tools, structuredOutputs } = document;
  return {
    name,
    title: flow.name,
    description: flow.description,
    language: flow.language,
    collects: structuredOutputs.flatMap(({ schema }) => Object.values(schema.properties).map(({ title }) => title)),
    tools: tools.map((tool) => tool.name),
    document,
    suite: read("suite.yaml"),
  };
}
