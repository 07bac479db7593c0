import { expect, test } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { buildDocumentation } from "../kit/built-documentation.ts";
import { Dashboard, DESKTOP, PHONE } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import { World } from "../kit/world.ts";

let site: Dashboard;

onDashboard(async () => {
  await buildDocumentation();
  return (site = await Dashboard.openOf(await World.start()));
});

const colourOf = () => site.page.evaluate<string>("getComputedStyle(document.body).backgroundColor");

test.skipIf(!CHROMIUM)("the documentation is accessible in light and dark, and fits a phone", async () => {
  const { page } = site;
  for (const path of ["", "/operations"]) {
    await page.goto(`${site.world.url}/docs/guides${path}`);
    const colours: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      colours.push(await colourOf());
      expect(await site.axe(colorScheme === "dark" ? "color-contrast" : undefined)).toEqual([]);
      await site.picture(`documentation${path.replace("/", "-")}-${colorScheme}`);
    }
    expect(colours[0]).not.toBe(colours[1]);
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(PHONE);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    await page.setViewportSize(DESKTOP);
  }
});

test.skipIf(!CHROMIUM)("the search finds a passage by the keyboard alone, and opens it", async () => {
  const { page } = site;
  await page.goto(`${site.world.url}/docs/guides`);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("pgbouncer transaction mode");
  await page.locator(".results a", { hasText: "PostgreSQL of your own" }).waitFor();
  expect(await site.axe()).toEqual([]);
  await page.keyboard.press("ArrowDown");
  const target = await page.evaluate<string>("document.activeElement.getAttribute('href')");
  expect(target).toMatch(/^\/docs\/guides\/[\w-]+#[\w-]+$/);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${site.world.url}${target}`);
  await page.locator("#search").waitFor({ state: "hidden" });
});

test.skipIf(!CHROMIUM)(
  "dark mode can be chosen, is kept on other pages, and the menu of a phone leads to them",
  async () => {
    const { page } = site;
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(`${site.world.url}/docs/guides`);
    const light = await colourOf();
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    const dark = await colourOf();
    expect(dark).not.toBe(light);
    await page.setViewportSize(PHONE);
    await page.getByRole("button", { name: "All pages" }).click();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Concepts" }).click();
    await page.getByRole("heading", { name: "Concepts", level: 1 }).waitFor();
    expect(await colourOf()).toBe(dark);
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    expect(await colourOf()).toBe(light);
    await page.setViewportSize(DESKTOP);
  },
);
