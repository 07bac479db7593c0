import { Page } from "#web/ui/page.tsx";

/** The start of a workspace. */
export function HomePage() {
  return <Page title="Home">Soon</Page>;
}
