import { Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import type { FlowFields } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { withoutBidi } from "#web/ui/format/bidi.ts";
import { Words } from "#web/ui/words.tsx";
import { compareFields, type FieldChange } from "./compare-fields.ts";
import type { DiffLine } from "./line-diff.ts";
import type { DiffPart } from "./word-diff.ts";

const MARKS = { same: " ", gone: "−", new: "+" } as const;
const WORDS = { same: "", gone: t`Removed: `, new: t`Added: ` } as const;

/** Shows the differences between two definitions, by field and line. */
export function DiffList({ before, after, same }: { before: FlowFields; after: FlowFields; same: string }) {
  const changes = useMemo(() => compareFields(before, after), [before, after]);
  if (changes.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {same}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {changes.map((change) => (
        <FieldDiff key={change.label} change={change} />
      ))}
    </Stack>
  );
}

function FieldDiff({ change }: { change: FieldChange }) {
  return (
    <section>
      <Text fz="xs" fw={600} mb={4}>
        {change.label}
      </Text>
      <div className="diff" role="region" aria-label={t`Changes of ${change.label}`} tabIndex={0}>
        {change.lines.map(({ kind, text, parts }, index) => (
          <div key={index} className={`diff-line diff-${kind}`}>
            <span aria-hidden="true">{MARKS[kind]}</span>
            <span className="diff-text">
              <span className="screen-reader">{WORDS[kind]}</span>
              {parts ? <Parts parts={parts} kind={kind} /> : <Words>{text}</Words>}
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

/** A line with the words that went or came marked. */
function Parts({ parts, kind }: { parts: DiffPart[]; kind: DiffLine["kind"] }) {
  const Mark = kind === "gone" ? "del" : "ins";
  return (
    <bdi>
      {parts.map(({ text, isChanged }, index) =>
        isChanged ? <Mark key={index}>{withoutBidi(text)}</Mark> : <span key={index}>{withoutBidi(text)}</span>,
      )}
    </bdi>
  );
}
