import { Button, Group, Stack, Text } from "@mantine/core";
import { useConsoleRead, useConsoleWrite } from "#web/api/console-queries.ts";
import { useKeptDialog } from "#web/api/kept-dialogs.tsx";
import { notifyResult, showDone, showFault } from "#web/api/undo.tsx";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { ShownOnceDialog } from "#web/ui/shown-once-dialog.tsx";
import { Time } from "#web/ui/time.tsx";
import { type IdentityProvider, PROVIDERS_PATH, type ScimToken } from "./sign-on.ts";

/** The SCIM tokens of a provider, and the button that makes one. */
export function ScimTokens({ provider }: { provider: IdentityProvider }) {
  const path = `${PROVIDERS_PATH}/${provider.id}/scim-tokens`;
  const read = useConsoleRead<ScimToken[]>(path);
  const keepDialog = useKeptDialog();
  const make = useConsoleWrite<ScimToken & { token: string }>({
    failed: t`The token was not made`,
    method: "POST",
    path,
    refreshes: path,
  });
  const show = ({ token }: { token: string }) =>
    keepDialog((close) => (
      <ShownOnceDialog
        title={t`SCIM token of ${provider.name}`}
        warning={t`Enter this token at the provider now. It is not shown again.`}
        text={token}
        label={t`token`}
        close={close}
      >
        {t`Whoever has it makes and disables the accounts of ${provider.domains.join(", ") || t`no domain`}.`}
      </ShownOnceDialog>
    ));
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text fz="sm" fw={600}>
          {t`SCIM tokens`}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t`Make token of ${provider.name}`}
          loading={make.isPending}
          onClick={() => notifyResult(make.mutateAsync(), show)}
        >
          {t`Make token`}
        </Button>
      </Group>
      <Loaded read={read}>
        {(tokens) => (
          <Stack gap={4}>
            {tokens.length === 0 && (
              <Text fz="sm" c="dimmed">
                {t`None: the provider cannot add or remove people.`}
              </Text>
            )}
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} list={path} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

function TokenRow({ token, list }: { token: ScimToken; list: string }) {
  const ask = useConfirm();
  const write = useConsoleWrite<void>({
    failed: t`The token was not revoked`,
    method: "DELETE",
    path: `/scim-tokens/${token.id}`,
    refreshes: list,
  });
  const revoke = async () => {
    const isSure = await ask({
      title: t`Revoke the token …${token.last4}?`,
      body: t`The provider can no longer add or remove people with it.`,
      action: t`Revoke token`,
      isDangerous: true,
    });
    if (isSure) await write.mutateAsync().then(() => showDone(t`The token is revoked.`), showFault);
  };
  return (
    <Group justify="space-between">
      <Text fz="sm">
        {rich`…${token.last4}, made ${<Time at={token.createdAt} ago />}, ${
          token.lastUsedAt === null ? t`never used` : <>{rich`used ${<Time at={token.lastUsedAt} ago />}`}</>
        }`}
      </Text>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={t`Revoke the token ${token.last4}`}
        onClick={() => void revoke()}
      >
        {t`Revoke`}
      </Button>
    </Group>
  );
}
