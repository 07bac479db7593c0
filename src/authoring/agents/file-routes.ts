import type { Database } from "#src/platform/db/database.ts";
import { hashParts, readIdempotencyKey, runOnce } from "#src/platform/http/idempotency.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import type { SpoolRoom } from "#src/platform/http/spool-room.ts";
import { readMultipart } from "#src/platform/http/upload.ts";
import { getAgent } from "./agents.ts";
import { assertKnownFile, KnowledgeFile, MAX_FILE_BYTES, storeFile } from "./knowledge-files.ts";

const PATH = "/api/external/v1/agents/{agentId}/knowledge-base/files";

/** Upload of files for FILE items. */
export function fileRoutes({ db }: Database, room: SpoolRoom): Route[] {
  return [
    route({
      audience: "external",
      tag: "Agent knowledge base",
      method: "POST",
      path: PATH,
      access: ["AGENTS_WRITE"],
      summary: "Upload a file for a knowledge base item (extension)",
      description:
        "PDF, DOCX or XLSX, or plain text, Markdown, HTML, CSV or JSON in UTF-8, at most 20 MB. Name the id as fileId of an item of type FILE within a day, or it is deleted. Takes an Idempotency-Key.",
      params: Type.Object({ agentId: Uuid }),
      body: Type.Object({ file: Type.Unsafe<string>({ type: "string", format: "binary" }) }),
      bodyKind: "STREAM",
      consumes: ["multipart/form-data"],
      replies: { 200: KnowledgeFile },
      async run({ caller, params: { agentId }, headers, stream }) {
        await getAgent(db, caller.workspaceId, agentId);
        const rules = { room, caller: caller.workspaceId, maxBytes: MAX_FILE_BYTES, text: false };
        const { file } = await readMultipart(headers, stream, rules);
        try {
          await assertKnownFile(file);
          const key = readIdempotencyKey(headers);
          return await db.transaction().execute((tx) => {
            const effect = async () => new Reply(200, await storeFile(tx, caller.workspaceId, agentId, file));
            if (key === undefined) return effect();
            const bodyHash = hashParts([agentId, file.fileName ?? "", file.mediaType, file.sha256]);
            const once = { caller, route: `POST ${PATH}`, key, bodyHash };
            return runOnce(tx, once, effect);
          });
        } finally {
          await file.remove();
        }
      },
    }),
  ];
}
