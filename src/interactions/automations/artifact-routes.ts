import { Readable } from "node:stream";
import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { EXTERNAL_API, Reply, type Route, route } from "#src/platform/http/route.ts";
import { bytesOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type ArtifactRow, countArtifacts, findArtifact, listArtifacts } from "./artifact-sql.ts";
import { Artifact, ArtifactSummary, getArtifact, readContent, toArtifactSummary } from "./artifacts.ts";
import { getAutomation } from "./automations.ts";
import { REPORT_POLICY } from "./report/html.ts";

const READ = ["REPORTS_READ"];
/** Words about the retention of what automations make. */
export const KEPT_FOR =
  "An ended run and its artifacts are deleted after 400 days, or as many as the operator set (ARTIFACT_RETENTION_DAYS).";
const common = { audience: "external", tag: "Artifacts", access: READ } as const;
const params = Type.Object({ id: Uuid });

/** Routes of artifacts and their bytes. */
export function artifactRoutes({ db }: Database, { publicUrl }: { publicUrl: string }): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${EXTERNAL_API}/artifacts/{id}`,
      summary: "Read an artifact",
      params,
      replies: { 200: Artifact },
      run: ({ caller, params: { id } }) => getArtifact(db, caller.workspaceId, id, publicUrl),
    }),
    route({
      ...common,
      method: "GET",
      path: `${EXTERNAL_API}/artifacts/{id}/content`,
      summary: "Download an artifact's bytes (extension)",
      description: "With the artifact's own type, as an attachment. No script in it can run, wherever it is shown.",
      params,
      replies: { 200: bytesOf("*/*", "The bytes.") },
      async run({ caller, params: { id } }) {
        const row = await findArtifact(db, caller.workspaceId, id);
        if (!row) throw new AppError("NOT_FOUND");
        const bytes = Readable.from(readContent(db, caller.workspaceId, row), { objectMode: false });
        return new Reply(200, bytes, contentHeaders(row));
      },
    }),
    route({
      ...common,
      method: "GET",
      path: `${EXTERNAL_API}/automations/{automationId}/artifacts`,
      summary: "List the artifacts of an automation, newest first",
      description: KEPT_FOR,
      params: Type.Object({ automationId: Uuid }),
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(ArtifactSummary, "ArtifactPage") },
      async run({ caller, params: { automationId }, query }) {
        await getAutomation(db, caller.workspaceId, automationId);
        const page = readPage(query);
        const rows = await listArtifacts(db, caller.workspaceId, automationId, page);
        return toPage(
          page,
          rows.map((row) => toArtifactSummary(row, publicUrl)),
          () => countArtifacts(db, caller.workspaceId, automationId),
        );
      },
    }),
  ];
}

function contentHeaders(row: ArtifactRow): Record<string, string> {
  return {
    "content-type": row.mime_type,
    "content-length": String(row.size_bytes),
    "content-disposition": `attachment; filename="${row.name}"`,
    "content-security-policy": `${REPORT_POLICY}; frame-ancestors 'none'; sandbox`,
  };
}
