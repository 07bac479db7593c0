import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useWrite } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import type { FlowDraft, FlowEditing, FlowFields } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { FormPage } from "#web/ui/form/form-page.tsx";
import { BUILDERS_ONLY, PlainFieldset } from "#web/ui/form/plain-fieldset.tsx";
import { usePrecondition } from "#web/ui/form/use-precondition.ts";
import { DiffList } from "./diff-list.tsx";
import { SectionList } from "./section-list.tsx";
import { type FlowFormType, type FlowValues, toFields, toValues } from "./sections/flow-values.ts";
import { GrantsSection } from "./sections/grants-section.tsx";
import { LimitSection } from "./sections/limit-section.tsx";
import { PromptSection } from "./sections/prompt-section.tsx";
import { TransferSection } from "./sections/transfer-section.tsx";
import { VariableSection } from "./sections/variable-section.tsx";
import { VoiceSection } from "./sections/voice-section.tsx";

interface Save {
  fields: FlowFields;
  /** The `updatedAt` of the version that the person began from; null overwrites any stored version. */
  seenAt: string | null;
}

/** Editor of a flow. Saving writes the draft, which no call uses before it is published. */
export function FlowForm(props: {
  form: FlowFormType;
  editing: FlowEditing;
  reload: () => Promise<FlowEditing>;
  children: ReactNode;
}) {
  const { form, editing, reload, children } = props;
  const mayWrite = useMay("FLOWS_WRITE");
  const source = editing.draft ?? editing.flow;
  const base = usePrecondition(form, {
    key: `flow ${editing.flow.id}`,
    version: source.updatedAt,
    toValues: () => toValues(source),
  });
  const write = useWrite<FlowDraft, Save>({
    failed: t`The draft was not saved`,
    method: "PUT",
    path: ({ seenAt }) =>
      `/flows/${editing.flow.id}/draft${seenAt === null ? "" : `?ifUpdatedAt=${encodeURIComponent(seenAt)}`}`,
    body: ({ fields }) => fields,
  });
  const save = async (values: FlowValues, isForced: boolean) => {
    const fields = toFields(values, source);
    const draft = await write.mutateAsync({ fields, seenAt: isForced ? null : base.version() });
    base.note(draft.updatedAt);
    await reload();
  };
  const readStored = async () => {
    const { draft, flow } = await reload();
    return toValues(draft ?? flow);
  };
  return (
    <FormPage
      form={form}
      save={save}
      reload={readStored}
      compare={(stored, mine) => (
        <Stack gap="xs">
          <Text fz="sm" c="dimmed">
            {t`− what is stored now, + what you have`}
          </Text>
          <DiffList before={toFields(stored, source)} after={toFields(mine, source)} same={t`Both say the same.`} />
        </Stack>
      )}
      saveLabel={t`Save draft`}
      canSave={mayWrite}
    >
      {children}
    </FormPage>
  );
}

const SECTIONS = [
  { id: "flow-prompt", label: t`Prompt`, Section: PromptSection },
  { id: "flow-variables", label: t`Variables`, Section: VariableSection },
  { id: "flow-voice", label: t`Voice`, Section: VoiceSection },
  { id: "flow-capabilities", label: t`Capabilities`, Section: GrantsSection },
  { id: "flow-transfer", label: t`Transfer`, Section: TransferSection },
  { id: "flow-limits", label: t`Limits`, Section: LimitSection },
];

/** All sections of a flow but its stages, below a table of contents. */
export function FlowSections({ form }: { form: FlowFormType }) {
  const mayWrite = useMay("FLOWS_WRITE");
  return (
    <>
      <SectionList sections={SECTIONS} />
      <PlainFieldset isReadOnly={!mayWrite} reason={BUILDERS_ONLY}>
        <Stack gap="lg">
          {SECTIONS.map(({ id, Section }) => (
            <div key={id} id={id} className="flow-section">
              <Section form={form} />
            </div>
          ))}
        </Stack>
      </PlainFieldset>
    </>
  );
}
