import { Badge } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link, useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import type { FlowEditing } from "#web/domain/flow/flow.ts";
import { sayShares } from "#web/domain/flow/split-words.ts";
import { t } from "#web/i18n/t.ts";
import { NotLoaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { FlowActions } from "./flow-actions.tsx";
import { FlowWorkspace } from "./flow-workspace.tsx";
import "#web/domain/flow/flow.css";
import { type FlowValues, toValues } from "./sections/flow-values.ts";

/** Page of a flow: its editor with the tester beside it, its versions, and their shares. */
export function FlowPage() {
  const { flowId = "" } = useParams();
  const read = useRead<FlowEditing>(`/flows/${flowId}/editing`);
  const workspace = useRead<{ defaultFlowId: string | null }>("");
  const editing = read.data?.flow.id === flowId ? read.data : undefined;
  const back = { href: "/flows", label: t`Flows` };
  if (!editing) {
    return (
      <Page title={t`Flow`} back={back}>
        <NotLoaded read={read} />
      </Page>
    );
  }
  return (
    <FlowScreen
      key={flowId}
      editing={editing}
      isDefault={workspace.data?.defaultFlowId === flowId}
      reload={async () => (await read.refetch()).data ?? editing}
    />
  );
}

function FlowScreen(props: { editing: FlowEditing; isDefault: boolean; reload: () => Promise<FlowEditing> }) {
  const { editing, isDefault } = props;
  const { flow, draft } = editing;
  const form = useForm<FlowValues>({ initialValues: toValues(draft ?? flow) });
  return (
    <Page
      title={draft?.name ?? flow.name ?? flow.apiId}
      badge={<FlowBadges editing={editing} isDefault={isDefault} />}
      lead={<FlowLead editing={editing} />}
      back={{ href: "/flows", label: t`Flows` }}
      actions={<FlowActions editing={editing} isDefault={isDefault} isDirty={form.isDirty()} />}
    >
      <FlowWorkspace form={form} {...props} />
    </Page>
  );
}

function FlowLead({ editing: { flow, draft, differs } }: { editing: FlowEditing }) {
  return (
    <>
      <span className="mono">{flow.apiId}</span>
      {draft && !differs && t` · draft without changes`}
      {draft && differs && (
        <>
          {t` · draft saved `}
          <Time at={draft.updatedAt} ago />
          {draft.updatedBy && (
            <>
              {t` by `}
              <Words>{draft.updatedBy}</Words>
            </>
          )}
        </>
      )}
    </>
  );
}

function FlowBadges({ editing: { flow, differs, splits }, isDefault }: { editing: FlowEditing; isDefault: boolean }) {
  return (
    <>
      <Badge variant="light" color="green" radius="sm" tt="none">
        {t`v${flow.version} published`}
      </Badge>
      {differs && (
        <Badge variant="light" color="orange" radius="sm" tt="none">
          {t`Draft`}
        </Badge>
      )}
      {splits && (
        <Badge
          component={Link}
          href={`/flows/${flow.id}?tab=shares`}
          variant="light"
          color="grape"
          radius="sm"
          tt="none"
          className="badge-link"
        >
          {t`Traffic split: ${sayShares(splits)}`}
        </Badge>
      )}
      {isDefault && (
        <Badge variant="light" radius="sm" tt="none">
          {t`Default`}
        </Badge>
      )}
    </>
  );
}
