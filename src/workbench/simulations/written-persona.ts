import type { Persona, Reaction, SettledReaction } from "#src/engine/personas/reaction.ts";

/**
 * Returns the same persona for a chat, where nobody can be interrupted: an interruption is written after the message.
 */
export function toWritten(persona: Persona): Persona {
  return {
    kind: persona.kind,
    get notes() {
      return persona.notes;
    },
    open: () => wait(persona.open()),
    hear: (text, turn) => wait(persona.hear(text, turn)),
    goOn: () => wait(persona.goOn()),
    hearDigits: (digits) => persona.hearDigits(digits),
    outcome: () => persona.outcome(),
  };
}

function wait(reaction: Reaction): Reaction {
  if (reaction.kind !== "THINKING") return settle(reaction);
  return { kind: "THINKING", settle: async (signal) => settle(await reaction.settle(signal)) };
}

function settle(reaction: SettledReaction): SettledReaction {
  if (!("interruptsAfterFraction" in reaction)) return reaction;
  const { interruptsAfterFraction: _after, ...rest } = reaction;
  return rest;
}
