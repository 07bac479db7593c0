// Tools at run time: the workspace's own tools that a session is granted, and how their calls run.
export { readLateAnswer } from "./async-tool.ts";
export { type GrantParts, grantTools } from "./grant-tools.ts";
export type { LoadedTool, ToolSession } from "./loaded-tool.ts";
export { forgetContactResults } from "./result-cache.ts";
export { openToolRuns, type ToolRunParts } from "./tool-run-parts.ts";
export { createToolRunner } from "./tool-runner.ts";
