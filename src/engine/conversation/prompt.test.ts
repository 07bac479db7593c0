import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { SessionPlan } from "./plan.ts";
import { renderTexts } from "./prompt.ts";

/** A Thursday afternoon in Europe, and the morning in America. */
const NOW = new Date("2026-11-26T14:05:00Z");

const tool = (name: string) => ({ name, description: "", inputSchema: {} });

function planOf(language: string, more: Partial<SessionPlan> = {}): SessionPlan {
  return {
    sessionId: "s1",
    channel: "VOICE",
    flow: {
      name: "Appointment reminder",
      masterPrompt: "You are the assistant of {{ company }}.",
      firstMessage: "",
      language,
      maxDurationSeconds: 600,
      silenceTimeoutSeconds: 10,
      voicemail: { action: "HANG_UP", message: "" },
    },
    variables: { company: "Green Street Clinic", contactName: "Anna Berg", contactEmail: "", customerNumber: null },
    memory: {},
    outputs: [],
    ...more,
  };
}

const promptOf = (plan: SessionPlan): string => renderTexts(plan, NOW).system.content;
const stored = (name: string): string =>
  readFileSync(new URL(`prompts/${name}.txt`, import.meta.url), "utf8").replace(/\n$/, "");

describe("the prompt, word by word", () => {
  test.each([
    ["en-US", "America/New_York"],
    ["es-ES", "Europe/Madrid"],
    ["de-AT", "Europe/Vienna"],
    ["fr-FR", "Europe/Paris"],
    ["sv-SE", "Europe/Stockholm"],
  ])("of a call in %s", (language, name) => {
    expect(promptOf(planOf(language, { timeZone: { name, isAssumed: false } }))).toBe(stored(language));
  });

  test("of a chat with tools, memory and an earlier call", () => {
    const systemTools = ["send_message", "search_knowledge", "send_dtmf", "leave_voicemail"].map(tool);
    const earlier = [{ channel: "CALL", at: "2026-11-20T09:00:00Z", outcome: "ANSWERED", fields: {}, summary: "Hi." }];
    const grants = { tools: [], systemTools, transferTargets: [] };
    expect(promptOf(planOf("en-GB", { channel: "CHAT", grants, memory: { vip: true }, earlier }))).toBe(stored("chat"));
  });
});

test("a call's rules follow the tools that it has", () => {
  const systemTools = ["send_message", "search_knowledge", "send_dtmf", "leave_voicemail"].map(tool);
  const prompt = promptOf(planOf("it-IT", { grants: { tools: [], systemTools, transferTargets: [] } }));
  expect(prompt).toContain("call leave_voicemail and say nothing yourself");
  expect(prompt).toContain("press the key that fits with send_dtmf");
  expect(prompt).toContain("or offer to send the link as a message");
  expect(prompt).toContain("what these instructions, search_knowledge and your tools tell you");
  // A language without examples keeps the rule.
  expect(prompt).toContain("in the language you speak. Say a phone number or a code digit by digit, in groups.");
});

test.each([
  ["Asia/Kathmandu", "2026-11-26T20:00:00Z", "Friday", "01:45", "+05:45", "2026-11-27"],
  ["America/Los_Angeles", "2026-11-27T03:30:00Z", "Thursday", "19:30", "-08:00", "2026-11-26"],
  ["Europe/Vienna", "2026-07-01T22:00:00Z", "Thursday", "00:00", "+02:00", "2026-07-02"],
])("the clock of %s", (name, at, weekday, time, offset, date) => {
  const { content } = renderTexts(planOf("en-US", { timeZone: { name, isAssumed: true } }), new Date(at)).system;
  expect(content.split("\n").slice(-4)).toEqual([
    `Weekday: ${weekday}`,
    `Time: ${time}`,
    `Time zone: ${name} (UTC${offset}), assumed: the person may live in another`,
    `Date: ${date}`,
  ]);
});

test("a moment in a text of the flow is told by the person's clock, in the flow's language", () => {
  const plan = planOf("sv-SE", { timeZone: { name: "Europe/Stockholm", isAssumed: false } });
  const firstMessage = 'Vi ses på {{ "2026-11-26T23:30:00Z" | date: "%A %H:%M" }}.';
  expect(renderTexts({ ...plan, flow: { ...plan.flow, firstMessage } }, new Date()).firstMessage).toBe(
    "Vi ses på fredag 00:30.",
  );
});
