import { Tabs } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "./code-block.tsx";
import { type ApiCall, snippetsOf } from "./snippets.ts";

/** A request as curl, CLI and SDK, each ready to copy. */
export function SnippetTabs({
  call,
  apiKey,
  more = [],
}: {
  call: ApiCall;
  apiKey?: string;
  /** Further tabs. */
  more?: { name: string; text: string }[];
}) {
  const snippets = [...snippetsOf(call, window.location.origin, apiKey), ...more];
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List mb="xs">
        {snippets.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ name, text }) => (
        <Tabs.Panel key={name} value={name}>
          <CodeBlock text={text} label={t`${name} snippet`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
