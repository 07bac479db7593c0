/** API path of the agents. */
export const AGENTS_PATH = "/agents";

/** An agent: a name, the flow it follows, and its knowledge base. */
export interface Agent {
  id: string;
  name: string;
  description: string | null;
  flowId: string | null;
  version: number;
  createdAt: string;
  updatedAt: string;
}

/** One source of knowledge, as a list shows it. */
export interface KnowledgeItem {
  id: string;
  agentId: string;
  title: string;
  type: "TEXT" | "URL" | "FILE";
  url: string | null;
  fileId: string | null;
  tags: string[];
  language: string | null;
  enabled: boolean;
  refreshIntervalHours: number | null;
  status: "PENDING" | "INDEXING" | "READY" | "FAILED" | "DISABLED";
  statusMessage: string | null;
  sizeBytes: number | null;
  chunkCount: number;
  lastIndexedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A source of knowledge with its text. */
export interface FullItem extends KnowledgeItem {
  content: string | null;
}

/** A passage that a search found. */
export interface Hit {
  itemId: string;
  title: string;
  headings: string[];
  page: number | null;
  position: number;
  text: string;
  score: number;
}

/** API path of an agent's sources of knowledge. */
export function itemsPath(agentId: string): string {
  return `${AGENTS_PATH}/${agentId}/knowledge-base/items`;
}
