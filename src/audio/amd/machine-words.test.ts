import { describe, expect, test } from "vitest";
import { classifyWords } from "./machine-words.ts";

describe("the first words of a call", () => {
  test.each([
    ["en", "Hello?", "HUMAN"],
    ["en", "Smith dental practice, this is Anna, how can I help you?", "HUMAN"],
    ["en", "Hi, you've reached Anna. Leave me a message!", "MACHINE_VOICEMAIL"],
    ["en", "I can't come to the phone right now", "MACHINE_VOICEMAIL"],
    ["en", "At the tone, please record. When you have finished, press one for more options.", "MACHINE_VOICEMAIL"],
    ["en", "To leave a message, press 2", "MACHINE_IVR"],
    ["en", "For sales, press one", "MACHINE_IVR"],
    ["en", "The mailbox is full and cannot accept any messages", "MACHINE_UNAVAILABLE"],
    ["en", "Please state your name and the reason for your call", "MACHINE_SCREENING"],
    ["en", "who is calling", null],
    ["en", "we are on the road with a band of musicians", null],
    ["en", "", null],
    ["en", "We are sorry, all circuits are busy now", "MACHINE_UNAVAILABLE"],
    ["en", "The subscriber you are calling is not reachable", "MACHINE_UNAVAILABLE"],
    ["en", "Hi, tell me what you are calling about and I will see", "MACHINE_SCREENING"],
    ["es", "¿Diga?", "HUMAN"],
    ["es", "Deje su mensaje después de la señal", "MACHINE_VOICEMAIL"],
    ["es", "Para ventas, pulse 1", "MACHINE_IVR"],
    ["es", "Por favor, diga su nombre", "MACHINE_SCREENING"],
    ["es", "El buzón está lleno", "MACHINE_UNAVAILABLE"],
    ["de", "Ja, hallo?", "HUMAN"],
    ["de", "Bitte hinterlassen Sie mir eine Nachricht nach dem Piepton", "MACHINE_VOICEMAIL"],
    ["de", "Für Fragen zur Rechnung drücken Sie die 2", "MACHINE_IVR"],
    ["de", "Bitte nennen Sie Ihren Namen", "MACHINE_SCREENING"],
    ["de", "Kein Anschluss unter dieser Nummer", "MACHINE_UNAVAILABLE"],
    ["fr", "Allô ?", "HUMAN"],
    ["fr", "Vous êtes sur la messagerie vocale de Paul, laissez un message", "MACHINE_VOICEMAIL"],
    ["fr", "Pour le service client, tapez 1", "MACHINE_IVR"],
    ["fr", "Dites votre nom et le motif de votre appel", "MACHINE_SCREENING"],
    ["fr", "La messagerie est pleine", "MACHINE_UNAVAILABLE"],
    ["sv", "Hej, det är Anna", "HUMAN"],
    ["sv", "Lämna ett meddelande efter tonen", "MACHINE_VOICEMAIL"],
    ["sv", "Tryck 1 för svenska", "MACHINE_IVR"],
    ["sv", "Säg ditt namn", "MACHINE_SCREENING"],
    ["sv", "Brevlådan är full", "MACHINE_UNAVAILABLE"],
  ])("%s: %j is %s", (language, text, answeredBy) => {
    expect(classifyWords(text, language)?.answeredBy ?? null).toBe(answeredBy);
  });
});
