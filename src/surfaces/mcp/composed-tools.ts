import { placeCallTool } from "./call-tool.ts";
import { jobFailuresTool, startJobTool } from "./job-tools.ts";
import type { Operation } from "./operations.ts";
import type { McpTool } from "./tool.ts";

/** Returns tools that make several requests each, where the operations they need exist. */
export function composedTools(operations: Operation[]): McpTool[] {
  const find = (name: string) => operations.find(({ definition }) => definition.name === name);
  const place = find("place_call");
  const readCall = find("get_call");
  const create = find("create_call_job");
  const readJob = find("get_call_job");
  const readRows = find("list_call_job_rows");
  return [
    ...(place && readCall ? [placeCallTool(place, readCall)] : []),
    ...(create && readJob ? [startJobTool(create, readJob)] : []),
    ...(readJob && readRows ? [jobFailuresTool(readJob, readRows)] : []),
  ];
}
