import { expect, test } from "vitest";
import { type DeliveryReport, foldDelivery } from "./delivery-states.ts";

function permutations<T>(items: T[]): T[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

const fold = (reports: DeliveryReport[]) => reports.reduce(foldDelivery, "SENDING" as ReturnType<typeof foldDelivery>);

test.each([
  [["SENT", "DELIVERED", "READ"], "READ"],
  [["SENT", "DELIVERED", "DELIVERED"], "DELIVERED"],
  [["SENT", "FAILED"], "FAILED"],
  [["SENT", "FAILED", "DELIVERED"], "DELIVERED"],
] as [DeliveryReport[], string][])(
  "%j leads to %s in whatever order and however often it is reported",
  (reports, end) => {
    for (const order of permutations([...reports, ...reports])) expect(fold(order), order.join()).toBe(end);
  },
);

test("a message that nothing is sent of stays so", () => {
  for (const report of ["SENT", "DELIVERED", "READ", "FAILED"] as const) expect(foldDelivery(null, report)).toBeNull();
});
