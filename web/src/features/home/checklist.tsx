import { Anchor, Button, Group, Paper, Progress, Text, Title, VisuallyHidden } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { Link } from "wouter";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { Done } from "./overview.ts";

const NextSteps = lazy(async () => ({ default: (await import("./next-steps.tsx")).NextSteps }));

interface Step {
  title: string;
  hint: string;
  href: string;
  action: string;
  isDone: boolean;
}

/** First steps in the workspace; each is ticked automatically. */
export function Checklist({ done, preparedJobId }: { done: Done; preparedJobId: string | null }) {
  const { id } = useWorkspace();
  const [isHidden, setHidden] = useLocalStorage({
    key: `parley:checklist:${id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const steps = useSteps(done, preparedJobId);
  const count = steps.filter(({ isDone }) => isDone).length;
  if (isHidden || steps.length === 0) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Paper withBorder component="section" aria-label={t`First steps`} p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} fz="md">
          {count === steps.length ? t`All set` : t`First steps`}
        </Title>
        <Group gap="sm">
          <Text fz="sm" c="dimmed" role="status">
            {t`${count} of ${steps.length} done`}
          </Text>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setHidden(true)}>
            {t`Hide`}
          </Button>
        </Group>
      </Group>
      <Progress
        value={(100 * count) / steps.length}
        size={5}
        mb="sm"
        aria-label={t`${count} of ${steps.length} steps done`}
      />
      <ol className="checklist">
        {steps.map((step) => (
          <StepLine key={step.title} step={step} isNext={step === next} />
        ))}
      </ol>
      {count === steps.length && (
        <Suspense fallback={null}>
          <NextSteps />
        </Suspense>
      )}
    </Paper>
  );
}

function StepLine({ step, isNext }: { step: Step; isNext: boolean }) {
  return (
    <li data-done={step.isDone || undefined}>
      <span className="tick">{step.isDone && <Icon name="check" size={13} strokeWidth={2.6} />}</span>
      <div>
        <Text fz="sm" fw={550}>
          {step.title}
          <VisuallyHidden>{step.isDone ? t` (done)` : t` (to do)`}</VisuallyHidden>
        </Text>
        <Text fz="xs" c="dimmed">
          {step.hint}
        </Text>
      </div>
      {isNext ? (
        <Button component={Link} href={step.href} size="compact-sm">
          {step.action}
        </Button>
      ) : (
        <Anchor component={Link} href={step.href} fz="sm">
          {step.action}
        </Anchor>
      )}
    </li>
  );
}

function useSteps(done: Done, preparedJobId: string | null): Step[] {
  const isOwner = useMay("WORKSPACE_ADMIN");
  const mayCall = useMay("OUTBOUND_CALLS_TRIGGER");
  const key: Step = {
    title: t`Create an API key`,
    hint: t`Shown once, with a request to try as curl, CLI, TypeScript and MCP.`,
    href: "/credentials?new=key",
    action: t`Create key`,
    isDone: done.hasCredential,
  };
  // People without permission to place calls get no steps.
  if (!mayCall) return [];
  return [
    ...(isOwner ? [key] : []),
    {
      title: t`Call a simulated person`,
      hint: t`+1 202 555 0100 answers, agrees and fills every field. Nothing rings.`,
      href: "/calls?new=call",
      action: t`Place a call`,
      isDone: done.hasCall,
    },
    {
      title: t`Run a call job`,
      hint: preparedJobId
        ? t`20 simulated people are prepared; nobody was called yet.`
        : t`Many calls from one CSV file.`,
      href: preparedJobId ? `/jobs/${preparedJobId}` : "/jobs",
      action: preparedJobId ? t`Open the demo job` : t`Call jobs`,
      isDone: done.hasJob,
    },
    {
      title: t`Receive a webhook`,
      hint: t`The inspector shows what your server would get, and can fail to show the retries.`,
      href: "/developers/inspector",
      action: t`Open inspector`,
      isDone: done.hasDelivery,
    },
    {
      title: t`Connect an AI assistant`,
      hint: t`Over MCP it can place calls, run jobs and explain what failed.`,
      href: "/developers/connect",
      action: t`Connect MCP`,
      isDone: done.hasMcpRequest,
    },
  ];
}
