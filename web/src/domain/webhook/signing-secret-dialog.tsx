import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { ShownOnceDialog } from "#web/ui/shown-once-dialog.tsx";

/** Dialog with the secret for checking a webhook's signatures, shown once. */
export function SigningSecretDialog({ secret, ...rest }: { secret: string; title: string; close: () => void }) {
  return (
    <ShownOnceDialog
      {...rest}
      warning={t`With this secret your server checks that an event is from here. It is not shown again.`}
      text={secret}
      label={t`signing secret`}
    >
      {rich`Standard Webhooks: HMAC-SHA256 over id, timestamp and body. The SDK has ${<code>verifyWebhook</code>}.`}
    </ShownOnceDialog>
  );
}
