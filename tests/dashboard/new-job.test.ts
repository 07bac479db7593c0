import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { Dashboard } from "../kit/dashboard/dashboard-harness.ts";
import { goToStep } from "../kit/dashboard/job-steps.ts";
import { onDashboard } from "../kit/dashboard/on-dashboard.ts";

let dashboard: Dashboard;
// The refused check is a 422, which browsers write to the console by themselves.
onDashboard(async () => (dashboard = await Dashboard.startSignedIn()), /status of 422|ERR_FAILED/);

/** Has the service make a job, about which nobody hears. */
const loseReplies = () =>
  dashboard.page.route("**/call-jobs", async (route) => {
    await route.fetch();
    await route.abort();
  });

describe.skipIf(CHROMIUM === undefined)("a new call job in a bare workspace", { timeout: 120_000 }, () => {
  it("asks for a flow and a number where the workspace has no default, and takes the only ones there are", async () => {
    const { page, owner } = dashboard;
    const { id } = (await owner.ask("POST", "/workspaces", { name: "Bare" })).body;
    const make = async (path: string, body: object) => {
      const reply = await owner.ask("POST", `/workspaces/${String(id)}${path}`, body);
      expect(reply.status, reply.text).toBeLessThan(300);
    };
    expect((await owner.ask("PATCH", `/workspaces/${String(id)}`, { countries: ["GB"] })).status).toBe(200);
    const fillIn = async () => {
      await dashboard.open("/jobs/new", String(id));
      await page.getByRole("button", { name: "Paste lines" }).click();
      await page.getByLabel("Lines").fill("phone\n020 7946 0100");
      await page.getByRole("button", { name: "Read lines" }).click();
      // The only country's code is there without a hand.
      const code = page.getByLabel("Country code for numbers without one");
      await expect.poll(() => code.inputValue()).toBe("+44");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByLabel("Name of the job").waitFor();
    };
    await fillIn();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("There is no flow yet. Create one under Flows first.").waitFor();
    await page.getByText("There is no number that can call. Add one under Numbers first.").waitFor();
    expect(await dashboard.inspect("new-job-bare")).toEqual([]);
    await make("/flows", { name: "The only one", masterPrompt: "Say hello." });
    await make("/phone-numbers", { provider: "SANDBOX", countryCode: "GB" });
    await fillIn();
    await expect.poll(() => page.getByRole("combobox", { name: "Flow" }).inputValue()).toBe("The only one");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Will be called").waitFor();
    // A refusal leads back to the settings, with what is wrong at its field.
    const details = [{ path: "flowId", code: "GONE", message: "There is no such flow any more." }];
    await page.route("**/call-jobs/preflight", (route) =>
      route.fulfill({ status: 422, json: { message: "The request is not valid.", details } }),
    );
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Back to the settings" }).click();
    await page.getByLabel("Name of the job").waitFor();
    await page.getByText("There is no such flow any more.").waitFor();
    await page.unroute("**/call-jobs/preflight");
  });

  it("is there as it was after its page was left, until the job is made", async () => {
    const { page } = dashboard;
    const leave = async () => {
      await page.getByRole("link", { name: "Contacts" }).first().click();
      await page.getByRole("heading", { name: "Contacts", level: 1 }).waitFor();
      await page.goBack();
    };
    await dashboard.load("/jobs/new");
    await page.getByRole("button", { name: "Paste lines" }).click();
    await page.getByLabel("Lines").fill("phone\n+12025550100\n+12025550101");
    await leave();
    expect(await page.getByLabel("Lines").inputValue()).toContain("+12025550101");
    await page.getByRole("button", { name: "Read lines" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Name of the job").fill("Left and found");
    // A number is set right when its field is left, not while it is typed.
    const attempts = page.getByLabel("Attempts a person");
    for (const [typed, left] of Object.entries({ "": "1", 99: "10", 2: "2" })) {
      await attempts.fill(typed);
      expect(await attempts.inputValue()).toBe(typed);
      await attempts.blur();
      expect(await attempts.inputValue()).toBe(left);
    }
    await leave();
    await page.getByText("2 lines").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    expect(await page.getByLabel("Name of the job").inputValue()).toBe("Left and found");
    await page.getByRole("button", { name: "Continue" }).click();
    // The job was made, but nobody heard of it: leaving the page makes no second one of the same list.
    await loseReplies();
    await page.getByRole("button", { name: "Start calling" }).click();
    await page.getByRole("alert").first().waitFor();
    await page.unroute("**/call-jobs");
    await leave();
    for (const _ of ["settings", "check"]) await goToStep(page, "Continue");
    await page.getByRole("button", { name: "Start calling" }).click();
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/);
    const jobs = await dashboard.world.request("GET", "/call-jobs?name=Left%20and%20found");
    expect(jobs.body.totalElements).toBe(1);
    await dashboard.open("/jobs/new");
    await page.getByRole("button", { name: "Paste lines" }).waitFor();
  });

  it("makes the job of another list after the reply about the first one was lost", async () => {
    const { page } = dashboard;
    const read = async (number: string) => {
      await page.getByRole("button", { name: "Paste lines" }).click();
      await page.getByLabel("Lines").fill(`phone\n${number}`);
      await page.getByRole("button", { name: "Read lines" }).click();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByLabel("Name of the job").fill("Lost");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Start calling" }).click();
    };
    await loseReplies();
    await dashboard.open("/jobs/new");
    await read("+12025550100");
    await page.getByRole("alert").first().waitFor();
    await page.unroute("**/call-jobs");
    for (const _ of ["settings", "people"]) await goToStep(page, "Back");
    await page.getByRole("button", { name: "Take another list" }).click();
    await read("+12025550101");
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/);
    const rows = await dashboard.world.request("GET", `/call-jobs/${page.url().slice(-36)}/rows`);
    expect(rows.body).toMatchObject({ content: [{ customerNumber: "+12025550101" }] });
  });
});
