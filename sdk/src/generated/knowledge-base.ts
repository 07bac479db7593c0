/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { ItemRequest, KnowledgeBaseItemDto, KnowledgeBaseItemPage, KnowledgeBaseItemSummary, KnowledgeBaseListQuery, KnowledgeBaseSearchQuery, KnowledgeBaseUpdateQuery, KnowledgeBaseUploadFileBody, KnowledgeFile, KnowledgeSearchResults, NewKnowledgeBaseItem } from "./shapes.ts";

/** Operations of the API that the resource knowledgeBase of the client has. */
export class KnowledgeBaseOperations extends Resource {
  /**
   * List knowledge base items, without their content.
   * Needs AGENTS_READ.
   */
  list(agentId: string, query: KnowledgeBaseListQuery = {}, options: RequestOptions = {}): Pages<KnowledgeBaseItemSummary, KnowledgeBaseItemPage> {
    return this.readPages({ path: pathOf`/agents/${agentId}/knowledge-base/items`, query }, options);
  }

  /**
   * Create a knowledge base item.
   * Required: content for TEXT, url for URL, fileId for FILE. Answers at once with status PENDING; the item is found by searches once its status is READY. Needs AGENTS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  create(agentId: string, body: NewKnowledgeBaseItem, options: RequestOptions = {}): Promise<KnowledgeBaseItemDto> {
    return this.sendRequest({ method: "POST", path: pathOf`/agents/${agentId}/knowledge-base/items`, json: body, takesKey: true }, options);
  }

  /**
   * Read a knowledge base item.
   * Needs AGENTS_READ.
   */
  get(agentId: string, itemId: string, options: RequestOptions = {}): Promise<KnowledgeBaseItemDto> {
    return this.sendRequest({ method: "GET", path: pathOf`/agents/${agentId}/knowledge-base/items/${itemId}` }, options);
  }

  /**
   * Change a knowledge base item; sent fields are merged.
   * Only fields in the body change; null clears an optional one; a new type drops the source of the old one. A changed source is indexed anew; naming the url again reads it again. Needs AGENTS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  update(agentId: string, itemId: string, body: ItemRequest, query: KnowledgeBaseUpdateQuery = {}, options: RequestOptions = {}): Promise<KnowledgeBaseItemDto> {
    return this.sendRequest({ method: "PUT", path: pathOf`/agents/${agentId}/knowledge-base/items/${itemId}`, query, json: body, takesKey: true }, options);
  }

  /**
   * Delete a knowledge base item for good.
   * Needs AGENTS_WRITE.
   */
  delete(agentId: string, itemId: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/agents/${agentId}/knowledge-base/items/${itemId}` }, options);
  }

  /**
   * Read a knowledge base item's source anew.
   * Answers at once with status PENDING; what was read before is found until then, and stays when reading fails. 409 for a disabled item. Needs AGENTS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  reindex(agentId: string, itemId: string, options: RequestOptions = {}): Promise<KnowledgeBaseItemDto> {
    return this.sendRequest({ method: "POST", path: pathOf`/agents/${agentId}/knowledge-base/items/${itemId}/reindex`, takesKey: true }, options);
  }

  /**
   * Search a knowledge base.
   * By words always; by meaning too where the workspace has configured a model of kind EMBEDDING and the query has no phrase, OR or exclusion. Needs AGENTS_READ.
   */
  search(agentId: string, query: KnowledgeBaseSearchQuery, options: RequestOptions = {}): Promise<KnowledgeSearchResults> {
    return this.sendRequest({ method: "GET", path: pathOf`/agents/${agentId}/knowledge-base/search`, query }, options);
  }

  /**
   * Upload a file for a knowledge base item.
   * PDF, DOCX or XLSX, or plain text, Markdown, HTML, CSV or JSON in UTF-8, at most 20 MB. Name the id as fileId of an item of type FILE within a day, or it is deleted. Takes an Idempotency-Key. Needs AGENTS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  uploadFile(agentId: string, body: KnowledgeBaseUploadFileBody, options: RequestOptions = {}): Promise<KnowledgeFile> {
    return this.sendRequest({ method: "POST", path: pathOf`/agents/${agentId}/knowledge-base/files`, form: body, takesKey: true }, options);
  }
}
