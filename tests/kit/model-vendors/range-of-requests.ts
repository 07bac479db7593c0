import type { ModelProvider } from "#src/engine/models/hosted/vendors.ts";
import type { TrialAnswer, TrialServer } from "./trial-server.ts";
import { type Asked, readAsked, type Said, writeSaid } from "./vendor-dialogue.ts";

type Json = Record<string, unknown>;

/**
 * Kinds of requests that the product sends to models. Simulations are judged by rules and nobody sends pictures, so
 * neither is requested.
 */
export const EVERYWHERE = [
  "CHECK",
  "CHAT",
  "TOOLS ON OFFER",
  "PARALLEL CALLS",
  "RESULT OF A TOOL",
  "RESULT AFTER SPEECH",
  "PASSAGES OF KNOWLEDGE",
  "LONG HISTORY",
  "FILL",
  "FILL IN BETWEEN",
  "FILL LATER",
  "REPAIR",
  "PERSONA",
  "REHEARSAL",
] as const;

/** Forms in which each vendor is asked for JSON, and the retry after a refusal. */
export const FORMS: Record<ModelProvider, string[]> = {
  OPENAI_COMPATIBLE: ["AS STRICT", "AS SCHEMA", "AS OBJECT", "AS WORDS", "WITHOUT WHAT WAS REFUSED"],
  ANTHROPIC: ["AS SCHEMA", "AS JSON_TOOL", "AS WORDS"],
  GOOGLE: ["AS SCHEMA", "AS OBJECT", "AS WORDS"],
  AZURE_OPENAI: ["AS STRICT", "AS SCHEMA", "AS OBJECT", "AS WORDS", "WITHOUT WHAT WAS REFUSED"],
  AMAZON_BEDROCK: ["AS JSON_TOOL", "AS WORDS"],
};

/** Outputs of every kind of schema, with the model's values. STUBBORN's is refused in every form but words. */
export const OUTPUTS: Record<string, { schema: Json; value: Json }> = {
  visit: {
    schema: {
      type: "object",
      properties: {
        day: { type: "string", format: "date", description: "Which day?" },
        people: { type: "integer", minimum: 1 },
        note: { type: ["string", "null"], maxLength: 200 },
      },
      required: ["day"],
    },
    value: { day: "2026-12-01", people: 2 },
  },
  choice: {
    schema: {
      type: "object",
      properties: {
        mood: { enum: ["good", "bad"] },
        kind: { const: "survey" },
        reached: { anyOf: [{ type: "boolean" }, { type: "string" }] },
        dishes: { type: "array", minItems: 1, items: { type: "object", properties: { name: { type: "string" } } } },
      },
      required: ["mood", "dishes"],
    },
    value: { mood: "good", dishes: [{ name: "soup" }] },
  },
  variants: {
    schema: {
      type: "object",
      properties: {
        payment: {
          oneOf: [
            { type: "object", properties: { kind: { const: "card" }, last: { type: "string" } }, required: ["kind"] },
            { type: "object", properties: { kind: { const: "cash" } }, required: ["kind"] },
          ],
        },
      },
      required: ["payment"],
    },
    value: { payment: { kind: "cash" } },
  },
  family: {
    schema: {
      type: "object",
      properties: { root: { $ref: "#/$defs/person" } },
      required: ["root"],
      $defs: {
        person: {
          type: "object",
          properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/person" } } },
          required: ["name"],
        },
      },
    },
    value: { root: { name: "Ada", children: [{ name: "Ben" }] } },
  },
  many: {
    schema: {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field_${i}`, { type: "string" }])),
    },
    value: { field_3: "x" },
  },
  free: { schema: { type: "object", properties: { any: { type: "object" } } }, value: { any: { a: 1 } } },
  stubborn: { schema: { type: "object", properties: { odd: { type: "string" } } }, value: { odd: "x" } },
};

const WHOLE = { "content-type": "application/json" };
const TASK = /one JSON object for "(\w+)"/;
const LONG = 50;

/** The model behind a checking server: plays its part in everything that the product requests, and counts the kinds. */
export class RangeOfRequests {
  readonly counts = new Map<string, number>();
  /** Outputs of ended calls are filled only while this is true. */
  fillsLate = false;
  /** Called when the model speaks while a tool is under way. */
  onMeanwhile: () => void = () => undefined;
  readonly #provider: ModelProvider;
  #quoted = false;
  #repaired = false;
  #hasTaught = false;

  constructor(server: TrialServer, provider: ModelProvider) {
    this.#provider = provider;
    server.think = (body, path) => this.#answer(body, path);
  }

  #count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  #answer(body: Json, path: string): TrialAnswer {
    const asked = readAsked(this.#provider, body, path);
    if ("stream_options" in body && !this.#hasTaught) {
      this.#hasTaught = true;
      return refuse("Unsupported parameter: 'stream_options'");
    }
    if (this.#hasTaught && asked.isStreamed && !("stream_options" in body)) this.#count("WITHOUT WHAT WAS REFUSED");
    const task = TASK.exec(asked.lines.at(-1)?.text ?? "")?.[1];
    return task === undefined ? writeSaid(asked, this.#speak(asked)) : this.#fill(asked, task);
  }

  #fill(asked: Asked, name: string): TrialAnswer {
    const isRepair = asked.lines.at(-1)?.text.includes("An earlier try was wrong") === true;
    this.#count(`AS ${asked.format}`);
    if (name === "stubborn" && asked.format !== "WORDS") return refuse("This format is not supported.");
    if (name === "late" && !this.fillsLate)
      return { status: 500, body: '{"error":{"message":"busy"}}', headers: WHOLE };
    this.#count("FILL");
    if (isRepair) this.#count("REPAIR");
    if (name === "meanwhile") this.#count("FILL IN BETWEEN");
    if (asked.system.includes("You were the agent in the phone call that follows")) this.#count("FILL LATER");
    if (name === "visit" && !isRepair && !this.#repaired) {
      this.#repaired = true;
      return writeSaid(asked, { text: '{"day":7}' });
    }
    return writeSaid(asked, { text: JSON.stringify(OUTPUTS[name]?.value ?? { note: "was there" }) });
  }

  #speak(asked: Asked): Said {
    const { system, lines, tools } = asked;
    const last = lines.at(-1);
    if (tools.length > 0) this.#count("TOOLS ON OFFER");
    if (lines.length > LONG) this.#count("LONG HISTORY");
    if (lines.some(({ calls }) => calls.length > 1)) this.#count("PARALLEL CALLS");
    if (last?.role === "TOOL") this.#count("RESULT OF A TOOL");
    if (last?.role === "TOOL" && last.text.includes("Sundays from ten")) this.#count("PASSAGES OF KNOWLEDGE");
    if (last?.text === "Say hello.") return this.#say("CHECK", { text: "Hello." });
    if (system.includes("you play the person who picked up")) {
      const isFirst = lines.every(({ role }) => role !== "ASSISTANT");
      return this.#say("PERSONA", { text: isFirst ? "Please cancel my order." : "Goodbye. [HANG_UP]" });
    }
    if (system.includes("You are rehearsed.")) return this.#say("REHEARSAL", { text: "I have cancelled it." });
    return system.includes("You quote prices.") ? this.#quote(asked) : this.#chat(asked);
  }

  #say(kind: string, said: Said): Said {
    this.#count(kind);
    return said;
  }

  /** Calls a slow tool, speaks meanwhile, and says goodbye once it has answered. */
  #quote({ lines }: Asked): Said {
    const isAnswered = lines.some(({ role, text }) => role === "TOOL" && text.includes("twelve euros"));
    if (isAnswered) {
      const hasSpoken = lines.some(({ text }) => text.includes("Just a moment more."));
      if (hasSpoken) this.#count("RESULT AFTER SPEECH");
      return { text: "It costs twelve euros.", calls: [{ name: "end_call", input: {} }] };
    }
    if (this.#quoted) {
      this.onMeanwhile();
      return { text: "Just a moment more." };
    }
    this.#quoted = true;
    return { calls: [{ name: "price", input: {} }] };
  }

  #chat({ lines }: Asked): Said {
    const last = lines.at(-1);
    this.#count("CHAT");
    if (last?.role === "TOOL") return { text: "Found." };
    if (last?.text.includes("two at once"))
      return {
        calls: [
          { name: "find", input: { day: "Monday" } },
          { name: "use", input: { code: "B-7" } },
        ],
      };
    if (last?.text.includes("opening hours"))
      return { text: "Let me see.", calls: [{ name: "search_knowledge", input: { query: "open Sundays" } }] };
    return { text: "I see." };
  }
}

/** Returns a refusal that every vendor's library can read. */
function refuse(message: string): TrialAnswer {
  const error = { type: "invalid_request_error", code: 400, status: "INVALID_ARGUMENT", message };
  return { status: 400, body: JSON.stringify({ type: "error", error }), headers: WHOLE };
}
