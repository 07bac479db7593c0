import type { Flow, FlowFields } from "#web/domain/flow/flow.ts";

/** What each of the ways to try a flow is given. */
export interface TestProps {
  flow: Flow;
  /** The flow as the form has it, saved or not, with the variables of the test as defaults. */
  fields: FlowFields;
  contactName: string;
}
