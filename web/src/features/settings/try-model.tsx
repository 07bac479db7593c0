import { Alert, Button, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { formatMilliseconds } from "#web/ui/format/format.ts";
import { type Model, type ModelCheck, MODELS_PATH } from "./model.ts";

/** Sends a test question to a model and shows the result. */
export function TryModel({ model }: { model: Model }) {
  const [result, setResult] = useState<ModelCheck | null>(null);
  const write = useWrite<ModelCheck>({
    failed: t`${model.name} was not tried`,
    method: "POST",
    path: `${MODELS_PATH}/${model.id}/check`,
    body: () => ({}),
  });
  const run = () => void write.mutateAsync().then(setResult).catch(showFault);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={write.isPending}
        aria-label={t`Try it: ${model.name}`}
        onClick={(event) => {
          event.stopPropagation();
          run();
        }}
      >
        {t`Try it`}
      </Button>
      <Modal
        opened={result !== null}
        onClose={() => setResult(null)}
        title={<Text fw={600}>{model.name}</Text>}
        // A click inside must not open the row below.
        onClick={(event) => event.stopPropagation()}
      >
        {result && <Answer result={result} />}
      </Modal>
    </>
  );
}

function Answer({ result }: { result: ModelCheck }) {
  if (!result.ok) {
    return (
      <Alert color="red" variant="light" title={t`It did not answer`}>
        <Text fz="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          {result.error?.message ?? t`It gave no reason.`}
        </Text>
      </Alert>
    );
  }
  return (
    <Stack gap="xs">
      <Alert color="green" variant="light" title={t`It answers in ${formatMilliseconds(result.latencyMs)}`}>
        {result.firstPieceMs !== null && t`The first words came after ${formatMilliseconds(result.firstPieceMs)}.`}
      </Alert>
      {result.answer !== null && (
        <Text fz="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          “{result.answer}”
        </Text>
      )}
    </Stack>
  );
}
