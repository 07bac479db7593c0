import { Button, Divider, Stack } from "@mantine/core";
import { useConsoleRead } from "#web/api/console-queries.ts";
import { t } from "#web/i18n/t.ts";

interface ProviderName {
  key: string;
  name: string;
}

/** Links to the identity providers of companies; nothing where there are none. */
export function SignOnLinks() {
  const { data } = useConsoleRead<ProviderName[]>("/sign-on");
  if (!data || data.length === 0) return null;
  const next = new URLSearchParams(window.location.search).get("next") ?? "/";
  return (
    <Stack>
      <Divider label={t`or`} />
      {data.map(({ key, name }) => (
        <Button
          key={key}
          component="a"
          variant="default"
          size="md"
          href={`/api/sign-on/${key}/start?next=${encodeURIComponent(next)}`}
        >
          {t`Sign in with ${name}`}
        </Button>
      ))}
    </Stack>
  );
}
