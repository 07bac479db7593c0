import {
  Button,
  Drawer,
  NumberInput,
  Progress,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { inWorkspace } from "#web/api/http.ts";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { upload } from "#web/api/upload.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { DropBox } from "#web/ui/drop-box.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { formatBytes } from "#web/ui/format/format.ts";
import { Loaded } from "#web/ui/load-state.tsx";
import { AGENTS_PATH, type FullItem, itemsPath, type KnowledgeItem } from "./agent.ts";

type Values = {
  type: "TEXT" | "URL" | "FILE";
  title: string;
  content: string;
  url: string;
  refreshIntervalHours: number | string;
  language: string;
  tags: string[];
  fileId: string;
};

const TYPES = [
  { value: "FILE", label: t`Document` },
  { value: "TEXT", label: t`Text` },
  { value: "URL", label: t`Web page` },
];

/** Adds or changes a source of knowledge. */
export function ItemDrawer({
  agentId,
  item,
  close,
}: {
  agentId: string;
  item: KnowledgeItem | null;
  close: () => void;
}) {
  const read = useRead<FullItem>(`${itemsPath(agentId)}/${item?.id ?? ""}`, undefined, { enabled: item !== null });
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={520}
      title={<Text fw={600}>{item ? t`Change the source` : t`Add knowledge`}</Text>}
    >
      {item === null ? (
        <ItemForm agentId={agentId} item={null} close={close} />
      ) : (
        <Loaded read={read}>{(full) => <ItemForm agentId={agentId} item={full} close={close} />}</Loaded>
      )}
    </Drawer>
  );
}

function ItemForm({ agentId, item, close }: { agentId: string; item: FullItem | null; close: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const path = itemsPath(agentId);
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const write = useWrite<FullItem, Based<FullItem>>({
    failed: t`The item was not saved`,
    method: item ? "PUT" : "POST",
    path: ({ base }) => (item ? `${path}/${item.id}${ifUnchanged(base)}` : path),
    body: ({ body }) => body,
    refreshes: [path],
  });
  const form = useForm<Values>({ initialValues: toValues(item) });
  const sendFile = async (chosen: File) => {
    const parts = new FormData();
    parts.append("file", chosen);
    setShare(0);
    try {
      const to = inWorkspace(workspaceId, `${AGENTS_PATH}/${agentId}/knowledge-base/files`);
      return (await upload<{ id: string }>(to, parts, setShare)).id;
    } finally {
      setShare(null);
    }
  };
  const guard = { stored: item, toValues, path: `${path}/${item?.id ?? ""}` };
  const { isSending, fault, submit, staleDialog } = useGuardedSubmit<FullItem, Values>(
    form,
    guard,
    async (values, base) => {
      const fileId = values.type === "FILE" && file ? await sendFile(file) : (item?.fileId ?? null);
      const changed = Object.entries(toBody(values)).filter(([name]) => item === null || form.isDirty(name));
      const body = { ...Object.fromEntries(changed), ...(values.type === "FILE" && (file || !item) ? { fileId } : {}) };
      const saved = await write.mutateAsync({ body, base });
      showDone(item ? t`Saved.` : t`It is being read.`);
      close();
      return saved;
    },
  );
  const { type } = form.getValues();
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <FormFault fault={fault} />
        {staleDialog}
        {!item && <SegmentedControl aria-label={t`Kind of source`} data={TYPES} {...form.getInputProps("type")} />}
        {type === "FILE" && (
          <DocumentField form={form} file={file} isStored={item !== null} share={share} choose={setFile} />
        )}
        <SourceFields form={form} />
        <Button type="submit" loading={isSending} disabled={isNothing(type, file, item, form.isDirty())}>
          {item ? t`Save` : t`Add`}
        </Button>
      </Stack>
    </form>
  );
}

interface DocumentProps {
  form: UseFormReturnType<Values>;
  file: File | null;
  isStored: boolean;
  /** Progress of the upload from 0 to 1; null while there is none. */
  share: number | null;
  choose: (file: File) => void;
}

function DocumentField({ form, file, isStored, share, choose }: DocumentProps) {
  return (
    <Stack gap={6}>
      <DropBox
        label={file ? file.name : isStored ? t`Put another document in its place` : t`Drop a document, or choose one`}
        hint={file ? formatBytes(file.size) : t`PDF, Word, Excel, text, Markdown, HTML, CSV or JSON, at most 20 MB`}
        accept=".pdf,.docx,.xlsx,.txt,.md,.html,.htm,.csv,.json"
        onFiles={([chosen]) => {
          if (!chosen) return;
          choose(chosen);
          if (form.getValues().title === "") form.setFieldValue("title", chosen.name.replace(/\.[^.]+$/, ""));
        }}
      />
      {share !== null && <Progress value={share * 100} aria-label={t`Upload`} />}
      {form.errors.fileId && (
        <Text fz="xs" c="red">
          {form.errors.fileId}
        </Text>
      )}
    </Stack>
  );
}

function isNothing(type: string, file: File | null, item: FullItem | null, isDirty: boolean): boolean {
  if (item) return !isDirty && !file;
  return type === "FILE" && !file;
}

function SourceFields({ form }: { form: UseFormReturnType<Values> }) {
  const { type } = form.getValues();
  return (
    <>
      <TextInput label={t`Title`} required maxLength={500} dir="auto" {...form.getInputProps("title")} />
      {type === "TEXT" && (
        <TextEditor label={t`Text`} language="plain" minHeight={220} {...form.getInputProps("content")} />
      )}
      {type === "URL" && (
        <>
          <TextInput
            label={t`Address`}
            required
            placeholder="https://example.com/help"
            {...form.getInputProps("url")}
          />
          <NumberInput
            label={t`Read again every … hours`}
            placeholder={t`Never`}
            min={1}
            max={8_760}
            allowDecimal={false}
            {...form.getInputProps("refreshIntervalHours")}
          />
        </>
      )}
      <TextInput
        label={t`Language`}
        description={t`Such as en or de-DE: then other forms of a word are found, too.`}
        placeholder={t`Any`}
        {...form.getInputProps("language")}
      />
      <TagsInput label={t`Tags`} placeholder={t`Press Enter after each`} {...form.getInputProps("tags")} />
    </>
  );
}

function toValues(item: FullItem | null): Values {
  return {
    type: item?.type ?? "FILE",
    title: item?.title ?? "",
    content: item?.content ?? "",
    url: item?.url ?? "",
    refreshIntervalHours: item?.refreshIntervalHours ?? "",
    language: item?.language ?? "",
    tags: item?.tags ?? [],
    fileId: "",
  };
}

/** Request body; each type has only the fields of its own source. */
function toBody({ type, title, content, url, refreshIntervalHours: hours, language, tags }: Values): object {
  return {
    type,
    title,
    language: language.trim() || null,
    tags,
    ...(type === "TEXT" ? { content } : {}),
    ...(type === "URL" ? { url: url.trim(), refreshIntervalHours: hours === "" ? null : hours } : {}),
  };
}
