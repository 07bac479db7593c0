import type { Results } from "@parley/sdk";
import { describe, expect, it } from "vitest";
import { countAsked, sumDials } from "./sums.ts";

type Funnel = Results["funnel"];

const funnel = { answeredByPerson: 30 } as Funnel;
const hour = (dials: number) => ({ dials }) as Results["hours"][number];
const version = (flowApiId: string) => ({ flowApiId }) as Results["versions"][number];

describe("sums of results", () => {
  it("count the dials of all hours", () => {
    expect(sumDials({ hours: [hour(60), hour(4)] })).toBe(64);
    expect(sumDials({ hours: [] })).toBe(0);
  });

  it("know how many people one flow could ask, and of several flows do not guess", () => {
    expect(countAsked({ versions: [version("a"), version("a")], funnel })).toBe(30);
    expect(countAsked({ versions: [version("a"), version("b")], funnel })).toBeNull();
    expect(countAsked({ versions: [], funnel })).toBeNull();
  });
});
