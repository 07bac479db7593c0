import type { Flow, FlowFields } from "#web/domain/flow/flow.ts";

/** Props of each way to test a flow. */
export interface TestProps {
  flow: Flow;
  /** The form's fields, saved or not, with the variables of the test as defaults. */
  fields: FlowFields;
  contactName: string;
}
