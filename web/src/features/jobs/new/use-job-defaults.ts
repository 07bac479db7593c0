import type { Flow, Page, PhoneNumber } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { FLOWS_OFFERED } from "#web/domain/flow/use-flow-choices.ts";
import { NUMBERS_PATH } from "#web/domain/number/number.ts";
import { type Defaults, type JobDefaults, toJobDefaults } from "./job-defaults.ts";

/** Reads the fallbacks of the workspace. */
export function useJobDefaults(): JobDefaults {
  const { data: settings } = useRead<Defaults>("");
  const { data: flows } = useRead<Page<Flow>>("/flows", { size: FLOWS_OFFERED });
  const { data: numbers } = useRead<PhoneNumber[]>(NUMBERS_PATH);
  return toJobDefaults(settings, flows?.content, numbers);
}
