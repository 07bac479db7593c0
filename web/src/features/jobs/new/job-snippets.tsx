import { Accordion } from "@mantine/core";
import { JsonText, showExactly } from "#web/api/exact-json.ts";
import { t } from "#web/i18n/t.ts";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import type { ContactRow, Contacts } from "./contacts.ts";
import { type NewJobForm, toSettings } from "./new-job.ts";

const ROWS_SHOWN = 2;

/** The same job as an HTTP request, a command and an SDK call, with the first rows. */
export function JobSnippets({ form, contacts, fileName }: { form: NewJobForm; contacts: Contacts; fileName: string }) {
  const settings = withoutSecret(toSettings(form));
  const body = { ...settings, rows: contacts.rows.slice(0, ROWS_SHOWN).map(toRow) };
  return (
    <Accordion variant="contained">
      <Accordion.Item value="code">
        <Accordion.Control>{t`The same from your code`}</Accordion.Control>
        <Accordion.Panel>
          <SnippetTabs
            call={{
              method: "POST",
              path: "/call-jobs",
              body,
              command: toCommand(form, fileName),
              sdk: `client.jobs.create(${showExactly(body)})`,
            }}
          />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function toRow({ contextText, ...row }: ContactRow): object {
  return contextText === undefined ? row : { ...row, contextData: new JsonText(contextText) };
}

/** Masks the secrets of the webhook. */
function withoutSecret(settings: Record<string, unknown>): Record<string, unknown> {
  const webhook = settings.completionWebhook as Record<string, unknown> | undefined;
  if (!webhook) return settings;
  const shown = Object.entries(webhook).map(([name, value]) =>
    name === "secret" || name === "headerValue" ? [name, "…"] : [name, value],
  );
  return { ...settings, completionWebhook: Object.fromEntries(shown) };
}

function toCommand({ name, flowId, maxConcurrency }: NewJobForm, fileName: string): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const file = fileName.endsWith(".csv") ? fileName : "contacts.csv";
  return [
    `jobs create ${quote(file)}`,
    name.trim() === "" ? "" : `--name ${quote(name.trim())}`,
    flowId === null ? "" : `--flow ${flowId}`,
    maxConcurrency === "" ? "" : `--max-concurrency ${maxConcurrency}`,
    "--watch",
  ]
    .filter((part) => part !== "")
    .join(" ");
}
