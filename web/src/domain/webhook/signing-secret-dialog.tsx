import { ShownOnceDialog } from "#web/ui/shown-once-dialog.tsx";

/** Dialog with the secret for checking a webhook's signatures, shown once. */
export function SigningSecretDialog({ secret, ...rest }: { secret: string; title: string; close: () => void }) {
  return (
    <ShownOnceDialog
      {...rest}
      warning="With this secret your server checks that an event is from here. It is not shown again."
      text={secret}
      label="signing secret"
    >
      Standard Webhooks: HMAC-SHA256 over id, timestamp and body. The SDK has <code>verifyWebhook</code>.
    </ShownOnceDialog>
  );
}
