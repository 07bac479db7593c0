import { Button, Stack } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useConsoleRead } from "#web/api/console-queries.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { ProviderCard } from "./provider-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { type IdentityProvider, PROVIDERS_PATH } from "./sign-on.ts";

const ProviderDialog = lazy(async () => ({ default: (await import("./provider-dialog.tsx")).ProviderDialog }));

/** Page of the companies' identity providers, for owners of the installation. */
export function SignOnPage() {
  const read = useConsoleRead<IdentityProvider[]>(PROVIDERS_PATH);
  const [edited, setEdited] = useState<IdentityProvider | "NEW" | null>(null);
  const add = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setEdited("NEW")}>
      {t`Add provider`}
    </Button>
  );
  return (
    <SettingsFrame
      title={t`Company sign-in`}
      lead={t`Identity providers by which people sign in to this installation, and the roles that their groups give.`}
      actions={add}
    >
      <Loaded read={read}>
        {(providers) => (
          <Stack>
            {providers.length === 0 && (
              <Card>
                <EmptyState icon="key" title={t`No identity provider yet`} action={add}>
                  {t`With OpenID Connect people sign in with their company's account. With SCIM the company adds and removes them itself.`}
                </EmptyState>
              </Card>
            )}
            {providers.map((provider) => (
              <ProviderCard key={provider.id} provider={provider} edit={() => setEdited(provider)} />
            ))}
          </Stack>
        )}
      </Loaded>
      <Suspense fallback={null}>
        {edited && <ProviderDialog provider={edited === "NEW" ? null : edited} close={() => setEdited(null)} />}
      </Suspense>
    </SettingsFrame>
  );
}
