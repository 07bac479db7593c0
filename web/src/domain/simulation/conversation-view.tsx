import { Alert, Button, Stack, Text } from "@mantine/core";
import { Fragment, useState } from "react";
import { TestLine } from "#web/domain/call/test-line.tsx";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Words } from "#web/ui/words.tsx";
import type { Conversation, Failure } from "./simulation.ts";

const LINES_AT_ONCE = 100;

/** A simulated conversation, with each failure at its line; `of` tells conversations on one page apart. */
export function ConversationView({ conversation, of }: { conversation: Conversation; of?: string }) {
  const { transcript, failures, error } = conversation;
  const [shown, setShown] = useState(LINES_AT_ONCE);
  const placed = failures.filter(({ turn }) => turn !== null && turn <= transcript.length);
  return (
    <Stack gap="xs">
      {error && (
        <Alert color="red" variant="light">
          {error.code}: {error.message}
        </Alert>
      )}
      {failures.length > 0 && (
        <div className="failures">
          {failures.map((failure, index) => (
            <FailureNote key={index} failure={failure} withLine />
          ))}
        </div>
      )}
      {transcript.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {t`Nothing was said, or the transcript was left out of a report that grew too long.`}
        </Text>
      ) : (
        <div
          className="test-log"
          role="region"
          aria-label={[t`Conversation ${conversation.seed}`, of].filter(Boolean).join(", ")}
          tabIndex={0}
        >
          {transcript.slice(0, shown).map((line, index) => (
            <Fragment key={line.index}>
              <TestLine speaker={line.role} content={line.content}>
                {placed
                  .filter(({ turn }) => turn === index + 1)
                  .map((failure, number) => (
                    <FailureNote key={number} failure={failure} />
                  ))}
              </TestLine>
            </Fragment>
          ))}
          {transcript.length > shown && (
            <Button variant="subtle" size="xs" onClick={() => setShown(shown + LINES_AT_ONCE)}>
              {t`Show ${Math.min(LINES_AT_ONCE, transcript.length - shown)} more lines`}
            </Button>
          )}
        </div>
      )}
    </Stack>
  );
}

function FailureNote({ failure, withLine = false }: { failure: Failure; withLine?: boolean }) {
  return (
    <div className="failure">
      <Icon name="alert" size={14} />
      <span>
        <span className="mono">{failure.path}</span> <Words>{failure.message}</Words>
        {withLine && failure.turn !== null && t` (line ${failure.turn})`}
      </span>
    </div>
  );
}
