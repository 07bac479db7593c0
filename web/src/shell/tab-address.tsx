import { Redirect, useLocation } from "wouter";
import { NotFound } from "./not-found.tsx";

/** Tabs that a person may write into an address as a step of its path. */
const TABS: Record<string, readonly string[]> = {
  jobs: ["rows", "results", "rejected", "plan", "api"],
  flows: ["edit", "stages", "funnel", "test", "versions", "shares", "success", "webhooks", "code"],
};

/** Leads from `/jobs/{id}/results` to the tab of that name. */
export function TabAddress() {
  const [path] = useLocation();
  const [, noun = "", id = "", tab = ""] = path.split("/");
  if (TABS[noun]?.includes(tab) !== true) return <NotFound />;
  return <Redirect to={`/${noun}/${id}?tab=${tab}`} replace />;
}
