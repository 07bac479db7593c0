import { Button, Divider, FileButton, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import type { JsonObject } from "@parley/sdk";
import { useState } from "react";
import { explainError } from "#web/api/api-error.ts";
import { parseExactly } from "#web/api/exact-json.ts";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useDialogState } from "#web/ui/form/unsaved.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import { TemplateGallery } from "./template-gallery.tsx";
import { useMakeFlow } from "./use-make-flow.ts";

/** Creates a flow: from a template, empty, or from a file. */
export function NewFlowDialog({ close }: { close: () => void }) {
  const [name, setName, settle] = useDialogState("flow", () => "");
  const [fault, setFault] = useState<string | null>(null);
  const { isMaking, makeBlank, makeOf, makeFrom } = useMakeFlow();
  const notify = useFaultNotice();
  const attempt = (work: Promise<void>) => {
    setFault(null);
    const made = work.then(settle);
    made.then(close, (error: unknown) => notify(error, () => setFault(explainError(error))));
  };
  return (
    <Modal opened onClose={close} size="xl" title={<Text fw={600}>{t`New flow`}</Text>}>
      <Stack>
        <FormFault fault={fault} />
        <TemplateGallery isDisabled={isMaking} choose={(template) => attempt(makeFrom(template))} />
        <Divider label={t`or`} />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== "") attempt(makeBlank(name.trim()));
          }}
        >
          <Group align="flex-end" gap="xs">
            <TextInput
              label={t`Begin with an empty flow`}
              placeholder={t`Name of the flow`}
              maxLength={200}
              style={{ flex: 1 }}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" loading={isMaking} disabled={name.trim() === ""}>
              {t`Create`}
            </Button>
          </Group>
        </form>
        <ImportRow attempt={(file) => attempt(readDocument(file).then(makeOf))} />
      </Stack>
    </Modal>
  );
}

function ImportRow({ attempt }: { attempt: (file: File) => void }) {
  return (
    <Group justify="space-between">
      <Text fz="sm" c="dimmed">
        {t`A file made by Export brings its tools and outputs along.`}
      </Text>
      <FileButton onChange={(file) => file && attempt(file)} accept="application/json,.json">
        {(props) => (
          <Button variant="default" leftSection={<Icon name="upload" />} {...props}>
            {t`Import a file`}
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

async function readDocument(file: File): Promise<JsonObject> {
  try {
    const document: unknown = parseExactly(await file.text());
    if (typeof document === "object" && document !== null && !Array.isArray(document)) return document as JsonObject;
  } catch {
    // Told below like every other file that holds no document.
  }
  throw new Error(t`${file.name} holds no exported flow.`);
}
