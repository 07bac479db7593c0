import { expect, test } from "vitest";
import { soakKills } from "../../soak/kills.ts";

test(
  "server, database or node of two are killed at random: dialling resumes by itself, nobody is rung twice",
  { timeout: 600_000 },
  async () => {
    const said: string[] = [];
    // Whether it is soon enough is what the whole soak measures (npm run soak -- kills).
    const options = new Map([
      ["rounds", 6],
      ["seconds", 60],
    ]);
    const faults = await soakKills(options, (line) => said.push(line));
    expect(faults, said.join("\n")).toEqual([]);
    expect(
      said.filter((line) => line.includes("dialled again after")),
      said.join("\n"),
    ).toHaveLength(6);
  },
);
