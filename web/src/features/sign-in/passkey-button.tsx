import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { explainError } from "#web/api/api-error.ts";
import { canUsePasskeys, showPasskey } from "#web/api/passkeys.ts";
import type { Session } from "#web/api/session.ts";
import { t } from "#web/i18n/t.ts";

/** Signs in by a passkey; nothing where the browser or the address offers none. */
export function PasskeyButton({ enter }: { enter: (session: Session) => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  // Browsers have no passkeys at a bare address.
  if (!canUsePasskeys() || /^[\d.]+$|^\[/.test(window.location.hostname)) return null;
  const show = async () => {
    setFault(null);
    setAsking(true);
    try {
      enter(await showPasskey<Session>("/api/console/sign-in/passkey"));
    } catch (error) {
      setFault(explainError(error));
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      {fault !== null && (
        <Text fz="sm" c="red" role="alert">
          {fault}
        </Text>
      )}
      <Button variant="default" loading={isAsking} onClick={() => void show()}>
        {t`Sign in with a passkey`}
      </Button>
    </>
  );
}
