import { expect, it } from "vitest";
import { keepToken, type Session, whenPersonChanges } from "./session.ts";

it("forgets what one person read and typed when another signs in, and only then", () => {
  let forgotten = 0;
  whenPersonChanges(() => forgotten++);
  const sessionOf = (id: string | null) =>
    ({ csrfToken: "t", user: id === null ? null : { id } }) as unknown as Session;
  for (const id of [null, "a", "a", null, "a"]) keepToken(sessionOf(id));
  expect(forgotten).toBe(0);
  keepToken(sessionOf(null));
  keepToken(sessionOf("b"));
  expect(forgotten).toBe(1);
});
