import { readdir, readFile } from "node:fs/promises";
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { findNearest } from "#src/platform/http/nearest-name.ts";
import { EXTERNAL_API } from "#src/platform/http/route.ts";
import type { CallApi } from "./call-api.ts";
import { bodyOf, isSuccess } from "./tool-result.ts";

const PAGES = new URL("../../../docs/", import.meta.url);
const PAGE_URI = "parley://docs/";
const ID = "[0-9a-fA-F-]{36}";

/** A kind of resource that is read through the API with the caller's own credential. */
interface ApiResource {
  template: ResourceTemplateType;
  uri: RegExp;
  needs: string;
  path: (id: string) => string;
  /** Text made of the reply's body; the reply itself unless given. */
  text?: (body: Record<string, unknown>) => string;
}

const API_RESOURCES: readonly ApiResource[] = [
  {
    template: {
      uriTemplate: "parley://calls/{rowId}",
      name: "call",
      title: "Result of a call",
      description: "Status, outcome, transcript, extracted fields and contextData of one call.",
      mimeType: "application/json",
    },
    uri: new RegExp(`^parley://calls/(${ID})$`),
    needs: "CALL_HISTORY_READ",
    path: (id) => `/call-rows/${id}`,
  },
  {
    template: {
      uriTemplate: "parley://calls/{rowId}/transcript",
      name: "transcript",
      title: "Transcript of a call",
      description: "What was said in one call, a line for each turn.",
      mimeType: "text/plain",
    },
    uri: new RegExp(`^parley://calls/(${ID})/transcript$`),
    needs: "CALL_HISTORY_READ",
    path: (id) => `/call-rows/${id}`,
    text: transcriptOf,
  },
  {
    template: {
      uriTemplate: "parley://call-jobs/{jobId}",
      name: "call-job",
      title: "Summary of a call job",
      description: "How many rows of a job ended how, and what was extracted.",
      mimeType: "application/json",
    },
    uri: new RegExp(`^parley://call-jobs/(${ID})$`),
    needs: "CALL_JOBS_READ",
    path: (id) => `/call-jobs/${id}/summary`,
  },
  {
    template: {
      uriTemplate: "parley://flows/{flowId}",
      name: "flow",
      title: "Flow",
      description: "Prompt, first message, variables, tools and outputs of one flow.",
      mimeType: "application/json",
    },
    uri: new RegExp(`^parley://flows/([A-Za-z0-9_-]{1,100})$`),
    needs: "FLOWS_READ",
    path: (id) => `/flows/${id}`,
  },
];

/** The resources: pages of the documentation, and calls, jobs and flows of the caller's workspace. */
export class Resources {
  #pages: Promise<Map<string, { resource: Resource; text: string }>> | undefined;

  /** Returns the pages of the documentation. Calls, jobs and flows have templates, since a workspace has many. */
  async list(): Promise<Resource[]> {
    return [...(await this.#readPages()).values()].map(({ resource }) => resource);
  }

  /** Returns the templates that these permissions allow to read. */
  templates(permissions: ReadonlySet<string>): ResourceTemplateType[] {
    return API_RESOURCES.filter(({ needs }) => permissions.has(needs)).map(({ template }) => template);
  }

  /**
   * Returns what stands at a URI, read with the caller's credential. Throws ResourceNotFoundError, also for what the
   * workspace does not have, and a ProtocolError with the API's words for a refusal.
   */
  async read(uri: string, api: CallApi): Promise<ReadResourceResult> {
    const pages = await this.#readPages();
    const page = pages.get(uri);
    if (page) return { contents: [{ uri, mimeType: "text/markdown", text: page.text }] };
    for (const { uri: pattern, path, template, text } of API_RESOURCES) {
      const id = pattern.exec(uri)?.[1];
      if (id === undefined) continue;
      const reply = await api({ method: "GET", path: EXTERNAL_API + path(id) });
      if (reply.status === 404) break;
      if (!isSuccess(reply)) {
        const { message } = bodyOf(reply);
        throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `${reply.status} ${String(message)}`);
      }
      const { mimeType = "text/plain" } = template;
      return { contents: [{ uri, mimeType, text: text ? text(bodyOf(reply)) : reply.text }] };
    }
    throw new ResourceNotFoundError(uri, `Resource not found: ${uri}.${askPage(uri, [...pages.values()])}`);
  }

  #readPages(): Promise<Map<string, { resource: Resource; text: string }>> {
    this.#pages ??= readPages();
    return this.#pages;
  }
}

async function readPages(): Promise<Map<string, { resource: Resource; text: string }>> {
  const names = (await readdir(PAGES)).filter((name) => name.endsWith(".md") && name !== "README.md").toSorted();
  const pages = await Promise.all(
    names.map(async (file) => {
      const text = await readFile(new URL(file, PAGES), "utf8");
      const name = file.replace(/\.md$/, "");
      const title = /^# (.*)$/m.exec(text)?.[1] ?? name;
      const size = Buffer.byteLength(text);
      return { resource: { uri: PAGE_URI + name, name, title, mimeType: "text/markdown", size }, text };
    }),
  );
  return new Map(pages.map((page) => [page.resource.uri, page]));
}

/** Returns the question which page was meant, for the URI of a page that does not exist. */
function askPage(uri: string, pages: { resource: Resource }[]): string {
  if (!uri.startsWith(PAGE_URI)) return "";
  const names = pages.map(({ resource }) => resource.name);
  const nearest = findNearest(uri.slice(PAGE_URI.length).replace(/\.md$/, ""), names);
  return nearest === null ? "" : ` Did you mean ${PAGE_URI}${nearest}?`;
}

function transcriptOf({ transcript }: Record<string, unknown>): string {
  const turns = Array.isArray(transcript) ? (transcript as { role: string; content: string }[]) : [];
  return turns.map(({ role, content }) => `${role}: ${content}`).join("\n");
}
