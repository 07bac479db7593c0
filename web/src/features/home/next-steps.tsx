import { Anchor, Button, SimpleGrid, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { sessionQuery } from "#web/api/session.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { showOverlay } from "#web/domain/workspace/overlay.ts";
import { t } from "#web/i18n/t.ts";

/** Steps after the first ones, from a sandbox to a live service. */
export function NextSteps() {
  const { mode } = useWorkspace();
  const isSandbox = mode === "SANDBOX";
  const mayManage = useMay("WORKSPACE_ADMIN");
  const { data: session } = useQuery(sessionQuery);
  if (!mayManage) return null;
  const newWorkspace = session?.user?.isInstallationOwner && (
    <Button size="compact-sm" onClick={() => showOverlay("workspace")}>
      {t`New workspace`}
    </Button>
  );
  return (
    <section className="next-steps" aria-label={t`What is next`}>
      <Title order={3} fz="sm" mb="sm">
        {t`What is next`}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: isSandbox ? 3 : 2 }} spacing="lg">
        <NextStep title={t`Connect a model`} action={<Way href="/settings/models">{t`Add a model`}</Way>}>
          {t`Until then a script asks one question for each field. A model of OpenAI’s kind, Anthropic or Google talks freely.`}
        </NextStep>
        {isSandbox && (
          <NextStep title={t`Go live`} action={newWorkspace}>
            {t`In a LIVE workspace of its own. Here no call can ever leave the machine, so you can always come back to try things.`}
          </NextStep>
        )}
        <NextStep title={t`Connect a carrier`} action={<Way href="/numbers?tab=carriers">{t`Carriers`}</Way>}>
          {t`${isSandbox ? t`In that LIVE workspace: ` : ""}an account with a carrier, or a SIP trunk of your own. Its keys are checked first, then sealed.`}
        </NextStep>
      </SimpleGrid>
    </section>
  );
}

function NextStep({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <div>
      <Text fz="sm" fw={550}>
        {title}
      </Text>
      <Text fz="xs" c="dimmed" mb={6}>
        {children}
      </Text>
      {action}
    </div>
  );
}

function Way({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} fz="sm">
      {children}
    </Anchor>
  );
}
