import { Button, CloseButton, Group, Progress, Text } from "@mantine/core";
import { useState } from "react";
import { showDone, showFault } from "#web/api/undo.tsx";
import { Icon, type IconName } from "#web/ui/icon.tsx";

/** Something that can be done with many rows. */
export interface BulkAction<T> {
  label: string;
  icon: IconName;
  isDangerous?: boolean;
  /** Does it to one row; the bar counts. */
  each?: (row: T) => Promise<unknown>;
  /** Does it to all at once, such as saving them as CSV. */
  all?: (rows: T[]) => void | Promise<unknown>;
  /** Asks before; false: nothing is done. */
  confirm?: (rows: T[]) => Promise<boolean>;
}

const AT_ONCE = 4;

/** What stands above a table while rows are selected: the actions and how far one is. */
export function BulkBar<T>({ rows, actions, clear }: { rows: T[]; actions: BulkAction<T>[]; clear: () => void }) {
  const [done, setDone] = useState<number | null>(null);
  const run = async (action: BulkAction<T>) => {
    if (action.confirm && !(await action.confirm(rows))) return;
    if (action.all) return void action.all(rows);
    setDone(0);
    const failed = await runEach(rows, action.each, () => setDone((count) => (count ?? 0) + 1));
    setDone(null);
    if (failed.length > 0) showFault(failed[0], `${failed.length} of ${rows.length} did not work`);
    else showDone(`${action.label}: ${rows.length} done.`);
    clear();
  };
  return (
    <Group className="bulk-bar" gap="sm" px="md" py={8} role="toolbar" aria-label="Selected rows">
      <CloseButton size="sm" aria-label="Clear selection" onClick={clear} />
      <Text fz="sm" fw={550}>
        {rows.length} selected
      </Text>
      {actions.map((action) => (
        <Button
          key={action.label}
          size="compact-sm"
          variant="default"
          {...(action.isDangerous ? { c: "red" } : {})}
          leftSection={<Icon name={action.icon} size={14} />}
          disabled={done !== null}
          onClick={() => void run(action)}
        >
          {action.label}
        </Button>
      ))}
      {done !== null && (
        <Progress value={(100 * done) / rows.length} w={160} aria-label={`${done} of ${rows.length}`} />
      )}
    </Group>
  );
}

async function runEach<T>(rows: T[], each: BulkAction<T>["each"], onDone: () => void): Promise<unknown[]> {
  const queue = [...rows];
  const failed: unknown[] = [];
  const work = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      await each?.(row).catch((error: unknown) => failed.push(error));
      onDone();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}
