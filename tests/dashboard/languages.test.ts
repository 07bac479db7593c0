import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { findCutTexts } from "../kit/dashboard/cut-texts.ts";
import { Dashboard, DESKTOP, PHONE } from "../kit/dashboard/dashboard-harness.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";
import { readCatalogue } from "../kit/dashboard/texts/catalogues.ts";

/** Widths at which the longer words of other languages have the least room. */
const NARROW = [{ width: 1280, height: 800 }, { width: 768, height: 1024 }, PHONE];

/** Texts of the page and of its labels, without those of people, tools and code. */
const READ_TEXTS = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest("script, style, noscript, code, pre, bdi, .cm-editor"))
      texts.push(walker.currentNode.nodeValue.trim());
  for (const name of ["aria-label", "placeholder", "title"])
    for (const element of document.querySelectorAll("[" + name + "]")) texts.push(element.getAttribute(name));
  return texts;
})()`;

const WORDS = {
  de: { name: "Deutsch", signIn: "Bei Parley anmelden", home: "Start", oneFlow: "1 Flow" },
  es: { name: "Español", signIn: "Iniciar sesión en Parley", home: "Inicio", oneFlow: "1 flujo" },
} as const;

/** A person for each language, so that no test meets the chat of another. */
const CHAT_PHONES = { en: "+12025550156", de: "+12025550157", es: "+12025550158" };

/** The messages of three words and more that are not the same in the language. */
function englishSentences(language: string): Set<string> {
  const changed = Object.entries(readCatalogue(language)).filter(([text, translation]) => text !== translation);
  return new Set(changed.map(([text]) => text).filter((text) => text.split(" ").length > 2));
}

describe.skipIf(CHROMIUM === undefined)("languages of the dashboard", { timeout: 240_000 }, () => {
  let dashboard: Dashboard;
  onDashboard(async () => (dashboard = await Dashboard.startSignedIn()));

  const languageOf = () => dashboard.page.evaluate<string>("document.documentElement.lang");

  /** Makes a call and a job, and returns the paths of the main screens. */
  async function makeScreens(contactPhone: string): Promise<string[]> {
    const { world } = dashboard;
    const { flow } = world.sample;
    const call = await world.call("+12025550102", { contactName: "Hannah Weiß" });
    const rows = [{ customerNumber: "+12025550100" }, { customerNumber: "+12025550110" }];
    const job = await world.request("POST", "/call-jobs", { body: { name: "Reminders", rows } });
    const written = { channel: "SMS", contactPhone, contactName: "Jonas Müller", initialMessage: "Guten Tag." };
    const chat = await world.request("POST", "/outbound/chats", { body: written });
    const lists = "/ /analytics /flows /jobs /jobs/new /calls /live /contacts /outputs /tools /numbers".split(" ");
    const settings = ["", "/compliance", "/people", "/account", "/audit"].map((path) => `/settings${path}`);
    const { id: chatId } = chat.body.session as { id: string };
    const details = [
      `/chats?chat=${chatId}`,
      `/calls/${String(call.id)}`,
      `/jobs/${String(job.body.id)}`,
      `/flows/${flow.id}`,
    ];
    const tabs = [`/flows/${flow.id}?tab=versions`, `/jobs/${String(job.body.id)}?tab=results`];
    return [...lists, ...settings, ...details, ...tabs];
  }

  it.each(["de", "es"] as const)("is remembered from the sign-in on, in %s", async (language) => {
    const { page, world, owner } = dashboard;
    await dashboard.context.clearCookies();
    await page.goto(world.url);
    await page.getByText(WORDS[language].name).click();
    await page.getByRole("heading", { name: WORDS[language].signIn }).waitFor();
    expect(await languageOf()).toBe(language);
    expect(await dashboard.axe()).toEqual([]);
    await dashboard.signInAs(owner);
    await dashboard.open("/");
    await page.getByRole("heading", { level: 1, name: WORDS[language].home }).waitFor();
    // The menu of the person leads back to English, where no catalogue is loaded.
    const catalogues: string[] = [];
    page.on("request", (request) => {
      if (/\/assets\/(de|es)-/.test(request.url())) catalogues.push(request.url());
    });
    await page.locator(".switcher").last().click();
    await page.getByText("English").click();
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    expect(await languageOf()).toBe("en");
    expect(catalogues).toEqual([]);
  });

  it.each(["en", "de", "es"] as const)(
    "has no English sentence on the main screens in %s, and all of it fits",
    async (language) => {
      const { page } = dashboard;
      const screens = await makeScreens(CHAT_PHONES[language]);
      const english = language === "en" ? new Set<string>() : englishSentences(language);
      await dashboard.open("/");
      await page.evaluate(`localStorage.setItem("parley:language", "${language}")`);
      const found: string[] = [];
      for (const path of screens) {
        await dashboard.open(path);
        const texts = await page.evaluate<string[]>(READ_TEXTS);
        found.push(...texts.filter((text) => english.has(text)).map((text) => `${path} says “${text}”`));
        for (const size of NARROW) {
          await page.setViewportSize(size);
          await dashboard.settle();
          const width = await page.evaluate<number>("document.documentElement.scrollWidth");
          if (width > size.width) found.push(`${path} is ${width} px wide`);
          const cut = await findCutTexts(page);
          found.push(...cut.map((text) => `${path} cuts “${text}” at ${size.width} px`));
          await dashboard.picture(`${language}-${size.width}${path.replaceAll(/[/?=]/g, "-")}`);
        }
        await page.setViewportSize(DESKTOP);
      }
      await dashboard.open("/");
      found.push(...(await dashboard.axe()));
      expect(found).toEqual([]);
      expect(await languageOf()).toBe(language);
    },
  );

  it.each(["de", "es"] as const)("counts and dates as %s does", async (language) => {
    const { page, world } = dashboard;
    const call = await world.call("+12025550100", {});
    await dashboard.open("/outputs");
    await page.evaluate(`localStorage.setItem("parley:language", "${language}")`);
    await dashboard.open("/outputs");
    await page.getByText(WORDS[language].oneFlow, { exact: true }).first().waitFor();
    await dashboard.open(`/calls/${String(call.id)}`);
    const time = page.locator("main time").first();
    const options = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const;
    const at = new Date((await time.getAttribute("datetime")) ?? "");
    const expected = at.toLocaleString(language, { ...options, timeZone: "Europe/Berlin" });
    expect((await time.innerText()).replaceAll(/\s/g, " ")).toBe(expected.replaceAll(/\s/g, " "));
  });
});
