import { Button, Group, Loader, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { lazy, Suspense, useState } from "react";
import { useConsoleWrite } from "#web/api/console-queries.ts";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { FACTORS_PATH } from "./second-factor.ts";

const QrCode = lazy(async () => ({ default: (await import("./qr-code.tsx")).QrCode }));

/** A secret for an authenticator app that no code has confirmed yet. */
export interface NewTotp {
  secret: string;
  uri: string;
}

type Reply = { recoveryCodes: string[] | null };

interface TotpDialogProps {
  totp: NewTotp;
  close: () => void;
  onDone: (recoveryCodes: string[] | null) => Promise<void>;
}

/** Shows the secret of an authenticator app as a QR code and as text, and confirms it by the app's code. */
export function TotpDialog({ totp, close, onDone }: TotpDialogProps) {
  const form = useForm({ initialValues: { code: "" } });
  const [isTyped, setTyped] = useState(false);
  const confirm = useConsoleWrite<Reply, { code: string }>({
    failed: t`The app was not confirmed`,
    method: "POST",
    path: `${FACTORS_PATH}/totp/confirm`,
    body: (values) => values,
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) =>
    onDone((await confirm.mutateAsync(values)).recoveryCodes),
  );
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={false}
      title={<Text fw={600}>{t`Set up an authenticator app`}</Text>}
    >
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <Text fz="sm">{t`Scan this with an app such as Aegis, Google Authenticator, 1Password or your phone's own.`}</Text>
          <Group justify="center">
            <Suspense fallback={<Loader aria-label={t`Loading`} />}>
              <QrCode text={totp.uri} label={t`QR code for the authenticator app`} />
            </Suspense>
          </Group>
          {isTyped ? (
            <CodeBlock text={totp.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")} label={t`secret`} />
          ) : (
            <Button variant="subtle" size="compact-sm" onClick={() => setTyped(true)}>
              {t`Type it instead`}
            </Button>
          )}
          <CodeField {...form.getInputProps("code")} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t`Cancel`}
            </Button>
            <Button type="submit" loading={isSending}>
              {t`Confirm`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function CodeField(props: object) {
  return (
    <TextInput
      label={t`Code of the app`}
      description={t`Six digits; they change every half a minute.`}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
      required
      data-autofocus
      {...props}
    />
  );
}
