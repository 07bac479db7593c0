import { Button, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useConsoleRead } from "#web/api/console-queries.ts";
import { send } from "#web/api/http.ts";
import { useKeptDialog } from "#web/api/kept-dialogs.tsx";
import { canUsePasskeys, makePasskey } from "#web/api/passkeys.ts";
import { sessionQuery } from "#web/api/session.ts";
import { showDone } from "#web/api/undo.tsx";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { Time } from "#web/ui/time.tsx";
import { PasskeyList } from "./passkey-list.tsx";
import { FACTORS_PATH, type Passkey, type SecondFactors as Factors } from "./second-factor.ts";
import type { NewTotp } from "./totp-dialog.tsx";
import { useConfirmed } from "./use-confirmed.tsx";

const TotpDialog = lazy(async () => ({ default: (await import("./totp-dialog.tsx")).TotpDialog }));
const RecoveryCodesDialog = lazy(async () => ({
  default: (await import("./recovery-codes-dialog.tsx")).RecoveryCodesDialog,
}));
const PasskeyNameDialog = lazy(async () => ({
  default: (await import("./passkey-name-dialog.tsx")).PasskeyNameDialog,
}));

const API = `/api/console${FACTORS_PATH}`;
const PASSKEYS = "/api/console/passkeys";

type Reply = { recoveryCodes: string[] | null };

/** Card of the signed-in person's authenticator app, passkeys and recovery codes. */
export function SecondFactors() {
  const read = useConsoleRead<Factors>(FACTORS_PATH);
  return (
    <Card title={t`Second factor`}>
      <Loaded read={read}>{(factors) => <Ways factors={factors} />}</Loaded>
    </Card>
  );
}

function Ways({ factors }: { factors: Factors }) {
  const { confirmed, dialog } = useConfirmed();
  const settle = useSettle();
  const renew = () => confirmed(async () => settle((await send<Reply>("POST", `${API}/recovery-codes`)).recoveryCodes));
  return (
    <Stack gap="lg">
      <Text fz="sm" c="dimmed">
        {t`With one of these, your password alone opens nothing. A passkey also signs you in without a password.`}
      </Text>
      <App factors={factors} confirmed={confirmed} settle={settle} />
      <Passkeys factors={factors} confirmed={confirmed} settle={settle} />
      {(factors.totpSince !== null || factors.passkeys.length > 0) && (
        <Group justify="space-between">
          <Text fz="sm">{rich`${<b>{t`Recovery codes`}</b>}: ${factors.recoveryCodesLeft} of 10 left`}</Text>
          <Button variant="default" size="xs" onClick={renew}>
            {t`Make new codes`}
          </Button>
        </Group>
      )}
      {dialog}
    </Stack>
  );
}

interface WayProps {
  factors: Factors;
  confirmed: (change: () => Promise<unknown>) => void;
  settle: (recoveryCodes: string[] | null) => Promise<void>;
}

function App({ factors, confirmed, settle }: WayProps) {
  const [totp, setTotp] = useState<NewTotp | null>(null);
  const ask = useConfirm();
  const begin = () => confirmed(async () => setTotp(await send<NewTotp>("POST", `${API}/totp`)));
  const remove = async () => {
    const body = t`Your codes are asked for no more.`;
    if (!(await ask({ title: t`Remove the app?`, body, action: t`Remove`, isDangerous: true }))) return;
    confirmed(async () => {
      await send("DELETE", `${API}/totp`);
      showDone(t`The authenticator app is removed.`);
      await settle(null);
    });
  };
  const done = async (recoveryCodes: string[] | null) => {
    setTotp(null);
    showDone(t`The authenticator app is set up.`);
    await settle(recoveryCodes);
  };
  return (
    <Group justify="space-between">
      <Text fz="sm">
        <b>{t`Authenticator app`}</b>:{" "}
        {factors.totpSince === null ? t`none` : <>{rich`since ${<Time at={factors.totpSince} />}`}</>}
      </Text>
      {factors.totpSince === null ? (
        <Button variant="default" size="xs" onClick={begin}>
          {t`Set up an app`}
        </Button>
      ) : (
        <Button variant="default" size="xs" onClick={() => void remove()}>
          {t`Remove the app`}
        </Button>
      )}
      <Suspense fallback={null}>
        {totp && <TotpDialog totp={totp} close={() => setTotp(null)} onDone={done} />}
      </Suspense>
    </Group>
  );
}

function Passkeys({ factors, confirmed, settle }: WayProps) {
  const [named, setNamed] = useState<Passkey | "NEW" | null>(null);
  const ask = useConfirm();
  const isPossible = factors.canUsePasskeys && canUsePasskeys();
  const create = async (name: string) => {
    setNamed(null);
    confirmed(async () => {
      const { recoveryCodes } = await send<Reply>("POST", PASSKEYS, { body: { name, answer: await makePasskey() } });
      showDone(t`${name} is a passkey of yours.`);
      await settle(recoveryCodes);
    });
  };
  const rename = async (passkey: Passkey, name: string) => {
    await send("PATCH", `${PASSKEYS}/${passkey.id}`, { body: { name } });
    setNamed(null);
    await settle(null);
  };
  const remove = async ({ id, name }: Passkey) => {
    const body = t`It signs you in no more. Delete it on the device, too.`;
    if (!(await ask({ title: t`Delete ${name}?`, body, action: t`Delete`, isDangerous: true }))) return;
    confirmed(async () => {
      await send("DELETE", `${PASSKEYS}/${id}`);
      showDone(t`${name} is deleted.`);
      await settle(null);
    });
  };
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fz="sm">
          <b>{t`Passkeys`}</b>: {factors.passkeys.length === 0 && t`none`}
        </Text>
        {isPossible && (
          <Button variant="default" size="xs" onClick={() => setNamed("NEW")}>
            {t`Add a passkey`}
          </Button>
        )}
      </Group>
      {!isPossible && (
        <Text fz="xs" c="dimmed">
          {t`Passkeys need a current browser, and the server at a host name over https, or at localhost.`}
        </Text>
      )}
      <PasskeyList passkeys={factors.passkeys} rename={setNamed} remove={(passkey) => void remove(passkey)} />
      <Suspense fallback={null}>
        {named !== null && (
          <PasskeyNameDialog
            title={named === "NEW" ? t`Add a passkey` : t`Rename ${named.name}`}
            action={named === "NEW" ? t`Continue` : t`Save`}
            name={named === "NEW" ? "" : named.name}
            close={() => setNamed(null)}
            save={(name) => (named === "NEW" ? create(name) : rename(named, name))}
          />
        )}
      </Suspense>
    </Stack>
  );
}

/** Returns a function that reads everything anew after a change, and shows new recovery codes above every screen. */
function useSettle(): (recoveryCodes: string[] | null) => Promise<void> {
  const client = useQueryClient();
  const keepDialog = useKeptDialog();
  return async (recoveryCodes) => {
    if (recoveryCodes) keepDialog((close) => <RecoveryCodesDialog codes={recoveryCodes} close={close} />);
    await Promise.all([
      client.invalidateQueries({ queryKey: ["console"] }),
      client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ]);
  };
}
