import { Anchor, Button, Group, Paper, Progress, Text, Title, VisuallyHidden } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { Link } from "wouter";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { Icon } from "#web/ui/icon.tsx";
import type { Done } from "./overview.ts";

interface Step {
  title: string;
  hint: string;
  href: string;
  action: string;
  isDone: boolean;
}

/** The first five minutes, step by step; each ticks by itself when it happened. */
export function Checklist({ done }: { done: Done }) {
  const { id } = useWorkspace();
  const [isHidden, setHidden] = useLocalStorage({
    key: `parley:checklist:${id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const steps = useSteps(done);
  const count = steps.filter(({ isDone }) => isDone).length;
  if (isHidden || steps.length === 0) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Paper withBorder component="section" aria-label="First steps" p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} fz="md">
          {count === steps.length ? "All set" : "First steps"}
        </Title>
        <Group gap="sm">
          <Text fz="sm" c="dimmed" role="status">
            {count} of {steps.length} done
          </Text>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setHidden(true)}>
            Hide
          </Button>
        </Group>
      </Group>
      <Progress
        value={(100 * count) / steps.length}
        size={5}
        mb="sm"
        aria-label={`${count} of ${steps.length} steps done`}
      />
      <ol className="checklist">
        {steps.map((step) => (
          <StepLine key={step.title} step={step} isNext={step === next} />
        ))}
      </ol>
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
          <VisuallyHidden>{step.isDone ? " (done)" : " (to do)"}</VisuallyHidden>
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

function useSteps(done: Done): Step[] {
  const isOwner = useMay("WORKSPACE_ADMIN");
  const owned: Step[] = [
    {
      title: "Create an API key",
      hint: "For your code, the command line or an MCP client.",
      href: "/credentials",
      action: "Create key",
      isDone: done.hasCredential,
    },
    {
      title: "Send the first request",
      hint: "The key's dialog has it ready as curl, CLI, TypeScript and MCP.",
      href: "/credentials",
      action: "Show keys",
      isDone: done.hasUsedCredential,
    },
  ];
  return [
    ...(isOwner ? owned : []),
    {
      title: "Call a simulated person",
      hint: "+1 202 555 0100 answers, agrees and fills every field. Nothing rings.",
      href: "/calls",
      action: "Place a call",
      isDone: done.hasCall,
    },
    {
      title: "Run a call job",
      hint: "Many calls from a CSV file, with retries and live progress.",
      href: "/jobs",
      action: "Call jobs",
      isDone: done.hasJob,
    },
    {
      title: "Be told by a webhook",
      hint: "Get each result where your own systems need it.",
      href: "/developers",
      action: "Developers",
      isDone: done.hasDelivery,
    },
    {
      title: "Connect an AI assistant",
      hint: "Over MCP it can place calls, run jobs and explain what failed.",
      href: "/developers",
      action: "Connect MCP",
      isDone: done.hasMcpRequest,
    },
  ];
}
