import { Page } from "#web/ui/page.tsx";

/** The start of a workspace. */
export function CredentialsPage() {
  return <Page title="credentials">Soon</Page>;
}
