import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { sessionQuery, useUser } from "#web/api/session.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { SecondFactors } from "#web/domain/account/second-factors.tsx";
import { signOut } from "#web/domain/workspace/sign-out.ts";
import { t } from "#web/i18n/t.ts";
import { AuthFrame } from "./auth-frame.tsx";
import { ShowFactorForm } from "./show-factor-form.tsx";

/** Page of a workspace that requires a second factor: a person sets one up, or shows it where their provider did not ask. */
export function SecondFactorPage() {
  const { name } = useWorkspace();
  const { data: session } = useQuery(sessionQuery);
  const open = session?.workspaces.find(({ lacksSecondFactor }) => !lacksSecondFactor);
  const { hasSecondFactor } = useUser();
  return (
    <AuthFrame
      title={hasSecondFactor ? t`Show your second factor` : t`Set up a second factor`}
      lead={t`${name} asks everybody for one.`}
    >
      <Stack>
        {hasSecondFactor ? (
          <ShowFactorForm />
        ) : (
          <>
            <Text fz="sm">
              {t`An app on your phone that shows codes, or a passkey on this device. You enter right after.`}
            </Text>
            <SecondFactors />
          </>
        )}
        {open && (
          <Button component={Link} href={`~/w/${open.id}`} variant="subtle">
            {t`Open ${open.name} instead`}
          </Button>
        )}
        <Button variant="default" onClick={signOut}>
          {t`Sign out`}
        </Button>
      </Stack>
    </AuthFrame>
  );
}
