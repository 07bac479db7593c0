import { Badge, Button, Code, Group, Text, TextInput, UnstyledButton } from "@mantine/core";
import type { CallRow, TranscriptTurn } from "@parley/sdk";
import { memo, type ReactNode, startTransition, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { t } from "#web/i18n/t.ts";
import { withoutBidi } from "#web/ui/format/bidi.ts";
import { formatDuration, formatMilliseconds, formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { LongText } from "#web/ui/long-text.tsx";
import { scrollBehavior } from "#web/ui/motion.ts";
import { Words } from "#web/ui/words.tsx";
import { findTurns, hasFailed, isUnderWay, readToolCall, windowOf } from "./call.ts";
import { FreshText, WordText } from "./spoken-text.tsx";
import { countBegun, type SpokenWord } from "./word-times.ts";

/** Lines drawn at first; drawing all at once would block the page for a moment. */
const FIRST_LINES = 40;
const LINES_AT_ONCE = 200;
/** Number of lines from which the search field is shown. */
const SEARCHED_FROM = 20;
const LONG_LINE = 2_000;
const NAMES = { ASSISTANT: t`Agent`, USER: t`Customer`, SYSTEM: t`System`, TOOL: t`Tool` } as const;

/** Moments of the lines and their words in a recording. */
export interface SoundTimes {
  startOf: (turn: TranscriptTurn) => number;
  wordsOf: (turn: TranscriptTurn) => SpokenWord[];
}

interface TranscriptProps {
  call: CallRow;
  atMs: number | null;
  seek: ((ms: number) => void) | null;
  /** Without them the lines are at the times of the call, and no words are lit. */
  times?: SoundTimes;
  /** Adds a button to each spoken line. */
  lineAction?: (turn: TranscriptTurn) => ReactNode;
}

/** Shows the transcript in step with the recording, word by word; a click on a line plays it from there. */
export function Transcript({ call, atMs, seek, times, lineAction }: TranscriptProps) {
  const turns = call.transcript;
  const isLive = isUnderWay(call);
  // The view of a live call follows the end; that of an ended call begins at the start.
  const [isTail] = useState(isLive);
  const [most, setMost] = useState(FIRST_LINES);
  const [find, setFind] = useState("");
  const looked = useDeferredValue(find.trim());
  const found = useMemo(() => findTurns(turns, looked), [turns, looked]);
  const startOf = times?.startOf ?? startOnCall;
  const current = useMemo(() => (atMs === null ? -1 : findTurn(turns, startOf, atMs)), [turns, startOf, atMs]);
  const newest = isLive ? turns.findLast(({ role }) => role === "ASSISTANT" || role === "USER")?.index : undefined;
  const [from, to] = windowOf(found, { most, isTail: isTail && looked === "", current });
  const isSearched = turns.length >= SEARCHED_FROM || turns.some(({ content }) => content.length > LONG_LINE);
  const showMore = () => startTransition(() => setMost(most + LINES_AT_ONCE));
  if (turns.length === 0) {
    return (
      <Text c="dimmed" fz="sm" p="md">
        {isLive
          ? t`Nothing has been said yet. Lines appear here as they are spoken.`
          : t`Nothing was said on this call.`}
      </Text>
    );
  }
  return (
    <>
      {isSearched && (
        <SearchLine find={find} setFind={setFind} count={looked === "" ? null : found.length} total={turns.length} />
      )}
      <div
        className="transcript"
        role="log"
        aria-label={t`Transcript`}
        aria-live={isLive ? "polite" : "off"}
        tabIndex={0}
      >
        <MoreLines count={from} isBefore show={showMore} />
        {found.slice(from, to).map((turn) => (
          <Line
            key={turn.index}
            turn={turn}
            {...(turn.index === current ? { atMs, times } : {})}
            isCurrent={turn.index === current}
            isNewest={turn.index === newest}
            startMs={startOf(turn)}
            seek={seek}
            find={looked}
            action={lineAction}
          />
        ))}
        <MoreLines count={found.length - to} show={showMore} />
        {isLive && <LiveEnd count={turns.length} />}
      </div>
    </>
  );
}

function SearchLine(props: { find: string; setFind: (find: string) => void; count: number | null; total: number }) {
  const { find, setFind, count, total } = props;
  return (
    <Group gap="sm" px="sm" pt="xs" wrap="nowrap">
      <TextInput
        size="xs"
        flex={1}
        aria-label={t`Find in the transcript`}
        placeholder={t`Find in the transcript`}
        leftSection={<Icon name="search" size={13} />}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      <Text fz="xs" c="dimmed" role="status">
        {count === null ? t`${formatNumber(total)} lines` : t`${formatNumber(count)} of ${formatNumber(total)} lines`}
      </Text>
    </Group>
  );
}

function MoreLines(props: { count: number; isBefore?: boolean; show: () => void }) {
  const { count, isBefore = false, show } = props;
  if (count <= 0) return null;
  const shown = formatNumber(Math.min(LINES_AT_ONCE, count));
  return (
    <Button variant="subtle" size="xs" onClick={show}>
      {isBefore
        ? t`Show ${shown} earlier of ${formatNumber(count)} lines`
        : t`Show ${shown} more of ${formatNumber(count)} lines`}
    </Button>
  );
}

/** Shows the end of a live call and keeps it in view as lines arrive. */
function LiveEnd({ count }: { count: number }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [count]);
  return (
    <>
      <div className="typing" aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
      <div ref={end} />
    </>
  );
}

function startOnCall({ startMs }: TranscriptTurn): number {
  return startMs;
}

function findTurn(turns: TranscriptTurn[], startOf: SoundTimes["startOf"], atMs: number): number {
  return turns.findLast((turn) => turn.role !== "TOOL" && startOf(turn) <= atMs)?.index ?? -1;
}

interface LineProps {
  turn: TranscriptTurn;
  isCurrent: boolean;
  /** True for the line of a live call that was said last. */
  isNewest: boolean;
  /** Begin of the line in the recording. */
  startMs: number;
  /** Moment that is played, for the current line. */
  atMs?: number | null;
  times?: SoundTimes | undefined;
  seek: ((ms: number) => void) | null;
  find: string;
  action: TranscriptProps["lineAction"];
}

const Line = memo(function Line({ turn, isCurrent, isNewest, startMs, atMs, times, seek, find, action }: LineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
  }, [isCurrent]);
  const offset = formatDuration(startMs / 1000);
  const words = useMemo(() => (isCurrent && times ? times.wordsOf(turn) : []), [isCurrent, times, turn]);
  const begun = atMs == null ? null : countBegun(words, atMs);
  return (
    <div ref={line} className={`line line-${turn.role.toLowerCase()}`} data-current={isCurrent || undefined}>
      {seek ? (
        <UnstyledButton className="line-time" onClick={() => seek(startMs)} aria-label={t`Play from ${offset}`}>
          {offset}
        </UnstyledButton>
      ) : (
        <span className="line-time">{offset}</span>
      )}
      <LineBody {...{ turn, find, isNewest, words, begun, action }} play={seek && (() => seek(startMs))} />
    </div>
  );
});

interface LineBodyProps extends Pick<LineProps, "turn" | "find" | "isNewest" | "action"> {
  play: (() => void) | null;
  words: SpokenWord[];
  begun: number | null;
}

function LineBody({ turn, play, find, isNewest, words, begun, action }: LineBodyProps) {
  const tool = useMemo(() => readToolCall(turn), [turn]);
  if (tool) return <ToolLine tool={tool} />;
  // Long lines are opened and selected with the mouse, which must not play the recording.
  const isLong = turn.content.length > LONG_LINE;
  const isSpoken = turn.role === "ASSISTANT" || turn.role === "USER";
  return (
    // The time beside it is the button for the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className="line-body" onClick={isLong ? undefined : (play ?? undefined)}>
      <div className="line-head">
        <span className="line-who">{NAMES[turn.role]}</span>
        {turn.whisper && (
          <Badge size="xs" variant="light" color="grape">
            {t`whispered to the agent`}
          </Badge>
        )}
        {turn.supervisor && (
          <Badge size="xs" variant="light" color="grape">
            {turn.supervisor === "TYPED" ? t`typed by a supervisor` : t`a supervisor spoke`}
          </Badge>
        )}
        {turn.interrupted && (
          <Badge size="xs" variant="light" color="orange">
            {t`interrupted`}
          </Badge>
        )}
        {turn.latency && <span className="line-note">{formatMilliseconds(turn.latency.totalMs)}</span>}
        {isSpoken && action?.(turn)}
      </div>
      {!isLong && find === "" && isSpoken && begun !== null && words.length > 0 ? (
        <WordText words={words} begun={begun} />
      ) : !isLong && find === "" && isNewest ? (
        <FreshText text={turn.content} />
      ) : (
        <LongText text={turn.content} className="line-text" find={find} />
      )}
    </div>
  );
}

/** Shows a tool call: its name and result in one line, request and response when opened. */
export function ToolLine({ tool }: { tool: NonNullable<ReturnType<typeof readToolCall>> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="line-body">
      <UnstyledButton className="tool-line" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        <Icon name={hasFailed(tool) ? "alert" : "tool"} size={14} />
        <Text component="span" fz="sm" fw={550} {...(hasFailed(tool) ? { c: "red" } : {})}>
          <Words>{tool.name}</Words>
        </Text>
        <Code className="tool-brief">{withoutBidi(brief(tool.result))}</Code>
        <Icon name={isOpen ? "up" : "down"} size={12} />
      </UnstyledButton>
      {isOpen && (
        <div className="tool-detail">
          <Text fz="xs" c="dimmed">
            {t`Request`}
          </Text>
          <JsonView value={tool.input} label={t`Request of ${tool.name}`} maxHeight={220} />
          <Text fz="xs" c="dimmed" mt={6}>
            {t`Response`}
          </Text>
          <JsonView value={tool.result} label={t`Response of ${tool.name}`} maxHeight={220} />
        </div>
      )}
    </div>
  );
}

function brief(result: unknown): string {
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
  return text.length > 70 ? `${text.slice(0, 70)}…` : text;
}
