import { describe, expect, it } from "vitest";
import { call, modelOf, planWith, runTrial, text, trialTool } from "#kit/trial-session.ts";
import type { ModelPiece, TurnRequest } from "#src/engine/models/models.ts";
import type { SessionGrants } from "./plan.ts";

const ASK = call("request_human");
const BYE = [text("Goodbye."), call("end_call", "c2")];
const NOTED = "ASSISTANT: I have noted that you would like to speak to a person. Somebody will call you back.";
const HELLO = planWith({ firstMessage: "Hello." }, { outputs: [] });

/** Runs a call in which the person asks for a human, then says one thing more. */
function ask(turns: (ModelPiece[] | Error)[], noteHumanRequest = async () => undefined as void) {
  return runTrial(["A human, please", "Thank you"], HELLO, { model: modelOf(turns), noteHumanRequest });
}

describe("a person who wants a human in a call that cannot be handed over", () => {
  it.each<[string, (ModelPiece[] | Error)[], string]>([
    ["says nothing after the tool", [[ASK], [], BYE], "CUSTOMER_HUNG_UP"],
    ["hangs up with the tool", [[ASK, call("end_call", "c2")]], "AGENT_ENDED_CALL"],
    ["hangs up ahead of the tool", [[call("end_call", "c2"), ASK]], "AGENT_ENDED_CALL"],
    ["fails after the tool", [[ASK], new Error("down")], "ERROR_MODEL"],
    [
      "had words only before the tool",
      [[text("One moment."), call("nothing", "c0")], [ASK], [], BYE],
      "CUSTOMER_HUNG_UP",
    ],
  ])("is told of the call back when the model %s", async (_case, turns, endReason) => {
    const { outcome, texts } = await ask(turns);
    expect(texts.filter((one) => one === NOTED)).toHaveLength(1);
    expect(outcome).toMatchObject({ humanRequested: true, ...(endReason === "CUSTOMER_HUNG_UP" ? {} : { endReason }) });
  });

  it.each<[string, ModelPiece[][]]>([
    ["after the tool", [[ASK], [text("My colleague Ada calls you."), call("end_call", "c2")]]],
    ["with the tool", [[text("My colleague Ada calls you."), ASK], [], BYE]],
  ])("hears the model's own words, said %s, and no others", async (_case, turns) => {
    const { outcome, texts } = await ask(turns);
    expect(texts).toContain("ASSISTANT: My colleague Ada calls you.");
    expect(texts).not.toContain(NOTED);
    expect(outcome).toMatchObject({ humanRequested: true, error: null });
  });

  it("is on record with the end of the call even when the wish could not be stored at once", async () => {
    const { outcome } = await ask([[ASK], BYE], async () => {
      throw new Error("the database is away");
    });
    expect(outcome).toMatchObject({ humanRequested: true, error: { code: "HUMAN_REQUEST_NOT_ANNOUNCED" } });
  });

  it("is called back by the words of the scripted model, in five languages", async () => {
    const wishes = [
      ["en-US", "I want to speak to a human", "call you back"],
      ["de-DE", "Ich möchte mit einem Menschen sprechen", "rufen Sie zurück"],
      ["es-ES", "Quiero hablar con una persona", "devolverán la llamada"],
      ["fr-FR", "Je voudrais parler à un être humain", "vous rappelleront"],
      ["sv-SE", "Jag vill prata med en människa", "ringer de upp dig"],
    ];
    for (const [language = "", wish = "", reported = ""] of wishes) {
      const { outcome, texts } = await runTrial([wish], planWith({ language, firstMessage: "Hello." }));
      expect(outcome, language).toMatchObject({ humanRequested: true, endReason: "AGENT_ENDED_CALL" });
      expect(
        texts.filter((one) => one.startsWith("TOOL: ")),
        language,
      ).toHaveLength(2);
      expect(texts.at(-2), language).toContain(reported);
    }
  });
});

describe("request_human in calls", () => {
  const offered = async (grants: Partial<SessionGrants>) => {
    const seen: string[] = [];
    const model = modelOf([BYE]);
    const respond = (request: TurnRequest) => {
      seen.push(...request.tools.map(({ name }) => name));
      return model.respond(request);
    };
    const all = { tools: [], systemTools: [], transferTargets: [], ...grants };
    await runTrial(["Hello"], planWith({}, { grants: all }), { model: { ...model, respond } });
    return seen.includes("request_human");
  };

  it("is offered where nothing hands the call over, and nowhere else", async () => {
    const transfer = { name: "transfer_call", description: "Hands over.", inputSchema: { type: "object" } };
    expect(await offered({})).toBe(true);
    expect(await offered({ tools: [trialTool("look_up")] })).toBe(true);
    expect(await offered({ systemTools: [transfer] })).toBe(false);
    expect(await offered({ tools: [trialTool("to_the_office", {}, { handsOver: true })] })).toBe(false);
  });
});
