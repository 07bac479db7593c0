import { Button, Stack, Text, Textarea } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { useState } from "react";
import { TestLine } from "#web/domain/call/test-line.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { linesAround } from "./sentence.ts";
import type { Wished } from "./use-trial.ts";

interface TestCardProps {
  call: CallRow;
  index: number;
  wished: Wished;
  setWished: (wished: Wished) => void;
  /** The test that was made; null: none yet. */
  suite: string | null;
  setSuite: (suite: string) => void;
  propose: () => Promise<void>;
  isProposing: boolean;
}

/** The line with those before it, what should be said instead, and the test made of it. */
export function TestCard(props: TestCardProps) {
  const { call, index, wished, setWished, suite, setSuite, propose, isProposing } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t`1. The sentence becomes a test`}>
      <Stack gap="sm">
        <div className="test-log" role="region" aria-label={t`Lines of the call`} tabIndex={0}>
          {linesAround(call.transcript, index).map((line) => (
            <TestLine key={line.index} speaker={line.role} content={line.content} />
          ))}
        </div>
        <Textarea
          label={t`The agent must not say this again`}
          description={t`One sentence a line; a part of it is enough.`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={4_000}
          value={wished.neverSays}
          onChange={(event) => setWished({ ...wished, neverSays: event.currentTarget.value })}
        />
        <Textarea
          label={t`It must say this`}
          description={t`Words that one of its lines must have.`}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={4_000}
          value={wished.says}
          onChange={(event) => setWished({ ...wished, says: event.currentTarget.value })}
        />
        <Button
          variant="default"
          w="fit-content"
          loading={isProposing}
          aria-expanded={isOpen && suite !== null}
          onClick={() => {
            setOpen(!isOpen || suite === null);
            if (suite === null) void propose();
          }}
        >
          {isOpen && suite !== null ? t`Hide the test` : t`Show the test`}
        </Button>
        {isOpen && suite !== null && (
          <>
            <Text fz="sm" c="dimmed">
              {t`A simulated person says what the customer said, tools answer as they did, and what came of the call must come of it again. Personal data was replaced.`}
            </Text>
            <TextEditor label={t`Test`} language="plain" minHeight={160} value={suite} onChange={setSuite} />
          </>
        )}
      </Stack>
    </Card>
  );
}
