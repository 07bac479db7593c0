import type { StructuredOutput } from "@parley/sdk";
import { useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { OUTPUTS_PATH } from "#web/domain/output/output.ts";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { LoadingBars, ReadFault } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { OutputEditor } from "./output-editor.tsx";

/** Page of a structured output, or of a new one. */
export function OutputPage() {
  const { outputId = "" } = useParams();
  const isNew = outputId === "new";
  const read = useRead<StructuredOutput[]>(OUTPUTS_PATH);
  const output = read.data?.find(({ id }) => id === outputId);
  if (isNew || output) {
    const reload = async () => (await read.refetch()).data?.find(({ id }) => id === outputId) ?? null;
    return <OutputEditor key={outputId} output={output ?? null} reload={reload} />;
  }
  return (
    <Page title={t`Structured output`} back={{ href: "/outputs", label: t`Structured outputs` }}>
      <ReadFault read={read} />
      {!read.error && !read.data && <LoadingBars />}
      {read.data && (
        <EmptyState icon="output" title={t`There is no such output`}>
          {t`It may have been deleted.`}
        </EmptyState>
      )}
    </Page>
  );
}
