import { expect, test } from "vitest";
import { createLog, listSourceFolders, type LogLevels } from "./log.ts";

function collect(levels: LogLevels | "info") {
  const lines: { level: string; room?: string; message: string }[] = [];
  const log = createLog(levels, (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]));
  return { log, lines };
}

test("a line names the room whose source wrote it, and carries no personal data", () => {
  const { log, lines } = collect("info");
  log.info("It happened.", { rowId: "r", pii: { number: "+12025550100" } });
  expect(lines).toEqual([
    { time: expect.any(String) as string, level: "info", room: "kernel", message: "It happened.", rowId: "r" },
  ]);
});

test.each([
  ["the level of all lines", { level: "warn", folders: {} }, ["warn", "error"]],
  ["a lower level of its room", { level: "error", folders: { kernel: "debug" } }, ["debug", "info", "warn", "error"]],
  ["a higher level of its room", { level: "debug", folders: { kernel: "silent" } }, []],
  ["the level of its group", { level: "silent", folders: { platform: "info" } }, ["info", "warn", "error"]],
  ["its room's before its group's", { level: "debug", folders: { platform: "debug", kernel: "error" } }, ["error"]],
  ["no other room's", { level: "error", folders: { dispatch: "debug" } }, ["error"]],
] as [string, LogLevels, string[]][])("a line is judged by %s", (_by, levels, written) => {
  const { log, lines } = collect(levels);
  for (const level of ["debug", "info", "warn", "error"] as const) log[level]("It happened.");
  expect(lines.map(({ level }) => level)).toEqual(written);
});

test("rooms, groups and folders of vendors have names to set a level for", () => {
  expect(listSourceFolders()).toEqual(expect.arrayContaining(["app", "dispatch", "telephony", "sip"]));
});
