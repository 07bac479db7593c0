import { expect, it } from "vitest";
import { groupStores } from "./group-stores.ts";

it("shows the stores of all applications by application, and a key that several have once", () => {
  const store = (key: string, name: string) => ({ id: `${key} ${name}`, key, application: { id: name, name } });
  const stores = ["A", "B", "C", "D", "E"].map((name) => store("customers", name));
  expect(groupStores([...stores, store("orders", "A"), store("visits", "B"), store("stock", "A")])).toEqual([
    { group: "A, B, C and 2 more", items: ["customers"] },
    { group: "A", items: ["orders", "stock"] },
    { group: "B", items: ["visits"] },
  ]);
  expect(groupStores([])).toEqual([]);
});
