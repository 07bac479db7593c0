import { Badge, Button, Code, Group, Text, UnstyledButton } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { formatDuration, formatMilliseconds } from "#web/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { type Call, isUnderWay, readToolCall, type Turn } from "./call.ts";

const LINES_AT_ONCE = 200;
const NAMES = { ASSISTANT: "Agent", USER: "Customer", SYSTEM: "System", TOOL: "Tool" } as const;

/** What was said, in step with the recording; a click on a line plays it from there. */
export function Transcript(props: { call: Call; atMs: number | null; seek: ((ms: number) => void) | null }) {
  const { call, atMs, seek } = props;
  const [shown, setShown] = useState(LINES_AT_ONCE);
  const turns = call.transcript;
  const current = useMemo(() => (atMs === null ? -1 : findTurn(turns, atMs)), [turns, atMs]);
  const end = useRef<HTMLDivElement>(null);
  const isLive = isUnderWay(call);
  useEffect(() => {
    if (isLive && turns.length > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [isLive, turns.length]);
  if (turns.length === 0) {
    return (
      <Text c="dimmed" fz="sm" p="md">
        {isLive ? "Nothing has been said yet. Lines appear here as they are spoken." : "Nothing was said on this call."}
      </Text>
    );
  }
  return (
    <div className="transcript" role="log" aria-label="Transcript" aria-live={isLive ? "polite" : "off"} tabIndex={0}>
      {turns.slice(0, shown).map((turn) => (
        <Line key={turn.index} turn={turn} isCurrent={turn.index === current} seek={seek} />
      ))}
      {turns.length > shown && (
        <Button variant="subtle" size="xs" onClick={() => setShown(shown + LINES_AT_ONCE)}>
          Show {Math.min(LINES_AT_ONCE, turns.length - shown)} more of {turns.length - shown} lines
        </Button>
      )}
      {isLive && (
        <div className="typing" aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      )}
      <div ref={end} />
    </div>
  );
}

function findTurn(turns: Turn[], atMs: number): number {
  return turns.findLast(({ startMs, role }) => startMs <= atMs && role !== "TOOL")?.index ?? -1;
}

interface LineProps {
  turn: Turn;
  isCurrent: boolean;
  seek: ((ms: number) => void) | null;
}

function Line({ turn, isCurrent, seek }: LineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }, [isCurrent]);
  const offset = formatDuration(turn.startMs / 1000);
  return (
    <div ref={line} className={`line line-${turn.role.toLowerCase()}`} data-current={isCurrent || undefined}>
      {seek ? (
        <UnstyledButton className="line-time" onClick={() => seek(turn.startMs)} aria-label={`Play from ${offset}`}>
          {offset}
        </UnstyledButton>
      ) : (
        <span className="line-time">{offset}</span>
      )}
      <LineBody turn={turn} seek={seek} />
    </div>
  );
}

function LineBody({ turn, seek }: Omit<LineProps, "isCurrent">) {
  const tool = readToolCall(turn);
  if (tool) return <ToolLine tool={tool} />;
  return (
    // The time beside it is the button for the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className="line-body" onClick={seek ? () => seek(turn.startMs) : undefined}>
      <Group gap={8}>
        <span className="line-who">{NAMES[turn.role]}</span>
        {turn.whisper && (
          <Badge size="xs" variant="light" color="grape">
            whispered to the agent
          </Badge>
        )}
        {turn.interrupted && (
          <Badge size="xs" variant="light" color="orange">
            interrupted
          </Badge>
        )}
        {turn.latency && <span className="line-note">{formatMilliseconds(turn.latency.totalMs)}</span>}
      </Group>
      <bdi className="line-text">{turn.content}</bdi>
    </div>
  );
}

function ToolLine({ tool }: { tool: NonNullable<ReturnType<typeof readToolCall>> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="line-body">
      <UnstyledButton className="tool-line" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        <Icon name="tool" size={14} />
        <Text component="span" fz="sm" fw={550}>
          {tool.name}
        </Text>
        <Code className="tool-brief">{brief(tool.result)}</Code>
        <Icon name={isOpen ? "up" : "down"} size={12} />
      </UnstyledButton>
      {isOpen && (
        <div className="tool-detail">
          <Text fz="xs" c="dimmed">
            Request
          </Text>
          <JsonView value={tool.input} label={`Request of ${tool.name}`} maxHeight={220} />
          <Text fz="xs" c="dimmed" mt={6}>
            Response
          </Text>
          <JsonView value={tool.result} label={`Response of ${tool.name}`} maxHeight={220} />
        </div>
      )}
    </div>
  );
}

function brief(result: unknown): string {
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
  return text.length > 70 ? `${text.slice(0, 70)}…` : text;
}
