/** True for the result of a tool call that failed: the engine begins each of them with this word. */
export function isFailure(result: string): boolean {
  return result.startsWith("failed");
}
