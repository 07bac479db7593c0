import type { Flow, FlowFields } from "#web/domain/flow/flow.ts";
import type { StageRun } from "#web/domain/stage/stage-run.ts";

/** Props of each way to test a flow. */
export interface TestProps {
  flow: Flow;
  /** The form's fields, saved or not, with the variables of the test as defaults. */
  fields: FlowFields;
  contactName: string;
  /** Marks the stages of the test on the map; null: no test is shown. */
  showRun: (run: StageRun | null) => void;
}
