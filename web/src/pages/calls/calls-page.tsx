import { Page } from "#web/ui/page.tsx";

/** The start of a workspace. */
export function CallsPage() {
  return <Page title="calls">Soon</Page>;
}
