import type { JsonSchema } from "#src/engine/models/models.ts";

/** Properties that the dialogues ask for. */
export const ASKS = {
  coming: { type: "boolean", description: "Will you come to your appointment?" },
  people: { type: "integer", minimum: 1, maximum: 20, description: "How many people will come?" },
  day: { type: "string", format: "date", description: "Which day suits you?" },
  time: { type: "string", format: "time", description: "What time of day suits you?" },
  when: { type: "string", format: "date-time", description: "When would you like to come?" },
  name: { type: "string", description: "What is your full name?" },
  email: { type: "string", format: "email", description: "What is your e-mail address?" },
  phone: { type: "string", description: "What phone number can we reach you at?" },
  budget: { type: "number", minimum: 0, description: "How much would you like to spend, in dollars?" },
  rating: { type: "integer", minimum: 1, maximum: 5, description: "How would you rate us, from 1 to 5?" },
  payment: { type: "string", enum: ["CARD", "BANK_TRANSFER", "CASH"], description: "How will you pay?" },
  size: { type: "string", enum: ["small", "medium", "large"], description: "Which size would you like?" },
  extras: {
    type: "array",
    items: { type: "string", enum: ["breakfast", "parking", "late check-out"] },
    description: "Which extras would you like?",
  },
  allergies: { type: "array", items: { type: "string" }, description: "Which allergies do you have?" },
  comment: { type: "string", description: "Is there anything you would like to tell us?" },
  callbackAt: { type: "string", format: "date-time", description: "When the customer wants to be called back" },
} satisfies Record<string, JsonSchema>;

/** Some of them, in this order. `phoneNumber` is named so that its kind is clear. */
export function ask(...names: (keyof typeof ASKS)[]): Record<string, JsonSchema> {
  return Object.fromEntries(names.map((name) => [name === "phone" ? "phoneNumber" : name, ASKS[name]]));
}
