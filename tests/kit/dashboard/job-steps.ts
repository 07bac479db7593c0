import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Presses the button to another step of a new job, and waits for that step: its button may have the same name. */
export async function goToStep(page: Page, name: "Continue" | "Back"): Promise<void> {
  const done = page.locator(".mantine-Stepper-stepIcon[data-completed]");
  const before = await done.count();
  await page.getByRole("button", { name, exact: true }).click();
  await expect.poll(() => done.count()).toBe(before + (name === "Continue" ? 1 : -1));
}
