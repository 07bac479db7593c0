import type { Flow, PhoneNumber } from "@parley/sdk";
import { useAllRows } from "#web/api/all-rows.ts";
import { useRead } from "#web/api/queries.ts";
import { NUMBERS_PATH } from "#web/domain/number/number.ts";
import { type Defaults, type JobDefaults, toJobDefaults } from "./job-defaults.ts";

/** Reads the fallbacks of the workspace. */
export function useJobDefaults(): JobDefaults {
  const { data: settings } = useRead<Defaults>("");
  const { data: flows } = useAllRows<Flow>("/flows");
  const { data: numbers } = useRead<PhoneNumber[]>(NUMBERS_PATH);
  return toJobDefaults(settings, flows, numbers);
}
