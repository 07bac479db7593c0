import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FaultNote } from "#web/ui/load-state.tsx";
import { type LeadPreview, type LeadSource, readSample, SOURCES_PATH } from "./lead-source.ts";
import { PreviewNote } from "./preview-note.tsx";

/** A place to paste a lead and see who would be called. */
export function TryCard({ source }: { source: LeadSource }) {
  const [text, setText] = useState("");
  const trial = useWrite<LeadPreview, string>({
    failed: t`The lead was not tried`,
    method: "POST",
    path: `${SOURCES_PATH}/${source.id}/preview`,
    body: (sample) => ({ sample: readSample(sample) }),
  });
  return (
    <Card title={t`Try a lead`}>
      <Stack gap="xs">
        <Textarea
          aria-label={t`A lead`}
          description={t`JSON or form fields. Nobody is dialled and nothing is stored.`}
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group>
          <Button
            variant="default"
            disabled={text.trim() === ""}
            loading={trial.isPending}
            onClick={() => trial.mutate(text)}
          >
            {t`Try it`}
          </Button>
        </Group>
        {trial.error && <FaultNote error={trial.error} retry={() => trial.mutate(text)} />}
        {trial.data && <PreviewNote preview={trial.data} />}
      </Stack>
    </Card>
  );
}
