import { expect, it } from "vitest";
import { describeUsers, flowUsers } from "./flow-users.ts";
import type { Flow, FlowChange, FlowFields } from "./flow.ts";

const flow = (id: string, toolIds: string[] | null) => ({ id, name: id, apiId: id, toolIds }) as Flow;
const change = (id: string, toolIds: string[] | null | undefined) =>
  ({ id, draft: toolIds === undefined ? null : { toolIds } }) as FlowChange;
const names = ({ toolIds }: FlowFields) => toolIds?.includes("t") ?? false;

it("tells flows that name a tool from those that prepare it and those that are to lose it", () => {
  const flows = [
    flow("both", ["t"]),
    flow("kept", ["t"]),
    flow("lost", ["t", "u"]),
    flow("new", null),
    flow("no", ["u"]),
  ];
  const changes = [change("both", ["t"]), change("kept", undefined), change("lost", ["u"]), change("new", ["t"])];
  const users = flowUsers(flows, changes, names);
  expect(users.map(({ id, inPublished, inDraft }) => [id, inPublished, inDraft])).toEqual([
    ["both", true, true],
    ["kept", true, null],
    ["lost", true, false],
    ["new", false, true],
  ]);
  expect(describeUsers(users)).toBe("3 flows, 1 draft");
  expect(describeUsers(users.slice(3))).toBe("1 draft");
  expect(describeUsers([])).toBe("no flow");
});
