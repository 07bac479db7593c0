import { Button, CloseButton, Group, Progress, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { showDone, showFault } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { sumFaults } from "./sum-faults.ts";

/** An action for many rows. */
export interface BulkAction<T> {
  label: string;
  icon: IconName;
  isDangerous?: boolean;
  /** True for rows that it applies to; all rows when left out. */
  only?: (row: T) => boolean;
  /** Runs the action for one row; the bar shows the progress. */
  each?: (row: T) => Promise<unknown>;
  /** Runs the action for all rows at once, such as saving them as CSV. */
  all?: (rows: T[]) => void | Promise<unknown>;
  /** Asks for confirmation; false: nothing is done. */
  confirm?: (rows: T[]) => Promise<boolean>;
  /** Runs after all rows were tried. */
  after?: () => void;
}

const AT_ONCE = 4;

/** Bar above a table while rows are selected, with the actions and their progress. */
export function BulkBar<T>(props: { rows: T[]; actions: BulkAction<T>[]; select: (rows: T[]) => void }) {
  const { rows, actions, select } = props;
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const run = async (action: BulkAction<T>, fitting: T[]) => {
    if (action.confirm && !(await action.confirm(fitting))) return;
    if (action.all) return void action.all(fitting);
    const total = fitting.length;
    setProgress({ done: 0, total });
    const failed = await runEach(fitting, action.each, (done) => setProgress({ done, total }));
    setProgress(null);
    action.after?.();
    if (failed.length === 0) showDone(t`${action.label}: ${total} done.`);
    else {
      const title = t`${action.label}: ${failed.length} of ${total} did not work`;
      showFault(new Error(sumFaults(failed.map(({ fault }) => fault))), title);
    }
    if (failed.length === 0) focusTable(bar.current);
    // Failed rows stay selected, so that the person sees them and can try again.
    select(failed.map(({ row }) => row));
  };
  return (
    <Group ref={bar} className="bulk-bar" gap="sm" px="md" py={8} role="toolbar" aria-label={t`Selected rows`}>
      <CloseButton size="sm" aria-label={t`Clear selection`} onClick={() => select([])} />
      <Text fz="sm" fw={550}>
        {t`${rows.length} selected`}
      </Text>
      {actions.map((action) => (
        <ActionButton key={action.label} action={action} rows={rows} isBusy={progress !== null} run={run} />
      ))}
      {progress && (
        <Progress
          value={(100 * progress.done) / progress.total}
          w={160}
          aria-label={t`${progress.done} of ${progress.total}`}
        />
      )}
    </Group>
  );
}

function ActionButton<T>(props: {
  action: BulkAction<T>;
  rows: T[];
  isBusy: boolean;
  run: (action: BulkAction<T>, fitting: T[]) => Promise<void>;
}) {
  const { action, rows, isBusy, run } = props;
  const fitting = action.only ? rows.filter(action.only) : rows;
  return (
    <Button
      size="compact-sm"
      variant="default"
      {...(action.isDangerous && fitting.length > 0 ? { c: "red" } : {})}
      leftSection={<Icon name={action.icon} size={14} />}
      disabled={fitting.length === 0}
      // Not disabled: the focus would be lost to the page.
      {...(isBusy ? { "aria-disabled": true, "data-disabled": true } : {})}
      onClick={() => !isBusy && void run(action, fitting)}
    >
      {action.label}
      {fitting.length < rows.length && ` (${fitting.length})`}
    </Button>
  );
}

/** Moves the focus from the bar, which disappears with the selection, to the table below it. */
function focusTable(bar: HTMLElement | null): void {
  if (!bar?.contains(document.activeElement)) return;
  bar.parentElement?.querySelector<HTMLElement>("[role=region]")?.focus({ preventScroll: true });
}

interface Failure<T> {
  row: T;
  fault: unknown;
}

async function runEach<T>(
  rows: T[],
  each: BulkAction<T>["each"],
  onDone: (done: number) => void,
): Promise<Failure<T>[]> {
  const queue = [...rows];
  const failed: Failure<T>[] = [];
  let done = 0;
  const work = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      await each?.(row).catch((fault: unknown) => failed.push({ row, fault }));
      onDone(++done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}
