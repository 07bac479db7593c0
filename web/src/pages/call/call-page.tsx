import { Page } from "#web/ui/page.tsx";

/** The start of a workspace. */
export function CallPage() {
  return <Page title="call">Soon</Page>;
}
