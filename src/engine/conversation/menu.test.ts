import { expect, it } from "vitest";
import { chooseMenuKey } from "./menu.ts";

it.each([
  ["Welcome. Press 1 to speak to us, press 2 for our opening hours.", "1"],
  ["For sales, press 1. For support, press 2. To speak to an operator, press 0.", "0"],
  ["For opening hours press one, for a representative press two", "2"],
  ["Press 3 for billing, press 4 for an agent.", "4"],
  ["Press 5 for billing, press 6 for sales.", "5"],
  ["Please enter * to continue.", "*"],
  ["Bienvenido. Pulse 1 para hablar con nosotros, pulse 2 para el horario.", "1"],
  ["Para ventas, marque el dos. Para hablar con un agente, marque el cero.", "0"],
  ["Drücken Sie die 1, um mit uns zu sprechen, die 2 für unsere Öffnungszeiten.", "1"],
  ["Bienvenue. Tapez 1 pour nos horaires, tapez 2 pour parler à un conseiller.", "2"],
  ["Välkommen. Tryck 1 för att tala med oss, tryck 2 för våra öppettider.", "1"],
  ["Hello?", null],
  ["The press conference starts at 2.", null],
])("%s", (announcement, key) => expect(chooseMenuKey(announcement)).toBe(key));
