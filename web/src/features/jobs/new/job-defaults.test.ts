import { describe, expect, test } from "vitest";
import { chooseOnly, toJobDefaults } from "./job-defaults.ts";
import { findJobFaults, NEW_JOB } from "./new-job.ts";

const flows = (...ids: string[]) => ids.map((id) => ({ id }));
const number = (phoneNumber: string, more: { status?: "ACTIVE" | "SUSPENDED"; isDefault?: boolean } = {}) => ({
  phoneNumber,
  status: "ACTIVE" as const,
  isDefault: false,
  ...more,
});
const NO_DEFAULT = { defaultFlowId: null };

/** Flow and numbers of a job that names none, and the fields that it must name. */
function outcomeOf(...given: Parameters<typeof toJobDefaults>) {
  const defaults = toJobDefaults(...given);
  const form = chooseOnly(NEW_JOB, defaults);
  return { flowId: form.flowId, numbers: form.numbers, faults: findJobFaults(form, defaults) };
}

describe("flow and number of a job that names none", () => {
  test("are the workspace's defaults, which the server fills in", () => {
    const numbers = [number("+1", { isDefault: true }), number("+2")];
    expect(outcomeOf({ defaultFlowId: "a" }, flows("a", "b"), numbers)).toEqual({
      flowId: null,
      numbers: [],
      faults: {},
    });
  });

  test("are chosen where there is only one that can be used", () => {
    const numbers = [number("+1"), number("+2", { status: "SUSPENDED", isDefault: true })];
    expect(outcomeOf(NO_DEFAULT, flows("a"), numbers)).toEqual({ flowId: "a", numbers: ["+1"], faults: {} });
  });

  test("are asked for where there are several or none", () => {
    const several = outcomeOf(NO_DEFAULT, flows("a", "b"), [number("+1"), number("+2")]);
    expect(several.faults).toEqual({
      flowId: "Choose a flow: the workspace has no default.",
      fromPhoneNumbers: "Choose a number: the workspace has no default that can call.",
    });
    const none = outcomeOf(NO_DEFAULT, [], [number("+1", { status: "SUSPENDED" })]);
    expect(none.faults).toEqual({
      flowId: "There is no flow yet. Create one under Flows first.",
      fromPhoneNumbers: "There is no number that can call. Add one under Numbers first.",
    });
  });

  test("are left to the server while they are not read yet", () => {
    expect(outcomeOf(undefined, flows("a", "b"), undefined)).toEqual({ flowId: null, numbers: [], faults: {} });
  });

  test("are those that a person chose, whatever the workspace has", () => {
    const defaults = toJobDefaults(NO_DEFAULT, flows("a"), [number("+1")]);
    const form = { ...NEW_JOB, flowId: "mine", numbers: ["+9"] };
    expect(chooseOnly(form, defaults)).toEqual(form);
  });
});
