import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { sessionQuery } from "#web/api/session.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { SecondFactors } from "#web/domain/account/second-factors.tsx";
import { signOut } from "#web/domain/workspace/sign-out.ts";
import { AuthFrame } from "./auth-frame.tsx";

/** Page of a workspace that requires a second factor, for a person who has none: they set one up to enter. */
export function SecondFactorPage() {
  const { name } = useWorkspace();
  const { data: session } = useQuery(sessionQuery);
  const open = session?.workspaces.find(({ lacksSecondFactor }) => !lacksSecondFactor);
  return (
    <AuthFrame title="Set up a second factor" lead={`${name} asks everybody for one.`}>
      <Stack>
        <Text fz="sm">An app on your phone that shows codes, or a passkey on this device. You enter right after.</Text>
        <SecondFactors />
        {open && (
          <Button component={Link} href={`~/w/${open.id}`} variant="subtle">
            Open {open.name} instead
          </Button>
        )}
        <Button variant="default" onClick={signOut}>
          Sign out
        </Button>
      </Stack>
    </AuthFrame>
  );
}
