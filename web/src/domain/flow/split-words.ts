import { formatShare } from "#web/ui/format/format.ts";
import type { Split } from "./flow.ts";

/** Returns the shares of versions as text: `v1 50 %, v2 50 %`. */
export function sayShares(splits: Split[]): string {
  return splits.map(({ version, percent }) => `v${version} ${formatShare(percent / 100)}`).join(", ");
}
