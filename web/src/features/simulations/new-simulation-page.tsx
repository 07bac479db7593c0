import { Button, FileButton, Grid, Group, NumberInput, Select, Stack, TagsInput, Text } from "@mantine/core";
import type { Persona, SimulationSource } from "@parley/sdk";
import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { useAllRows } from "#web/api/all-rows.ts";
import { explainError } from "#web/api/api-error.ts";
import { useRead, useWrite } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import type { Flow } from "#web/domain/flow/flow.ts";
import type { Simulation } from "#web/domain/simulation/simulation.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import "#web/domain/flow/flow.css";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { isSame } from "#web/ui/form/merge-fields.ts";
import { forgetUnsaved, useKeptState, useLeaveWarning } from "#web/ui/form/unsaved.ts";
import { useOneAtATime } from "#web/ui/form/use-one-at-a-time.ts";
import { Icon } from "#web/ui/icon.tsx";
import { COMMAND_KEY, useListedKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { LoadingBars, ReadFault } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import { useOpenMade } from "#web/ui/use-open-made.ts";
import { firstSuite } from "./first-suite.ts";

const FROM_SUITE = "";
/** A flow that the earlier run was asked for, and that is none of the list: a draft, a version or a document. */
const FROM_RUN = "earlier";
const LONGEST_SUITE = 1_048_576;

/**
 * Runs a suite that is written or loaded here. With `from` in the address, it begins with the request of an earlier
 * run.
 */
export function NewSimulationPage() {
  const [params] = useSearchParams();
  const from = params.get("from");
  const source = useRead<SimulationSource>(`/simulations/${from}/source`, undefined, { enabled: from !== null });
  const flows = useAllRows<Flow>("/flows");
  const isReady = flows.data !== undefined && (from === null || source.data !== undefined || source.error !== null);
  return (
    <Page
      title={t`Run a suite`}
      lead={t`Simulated people answer, tools are mocks: nobody is called and nothing leaves the server.`}
      back={{ href: "/simulations", label: t`Simulations` }}
    >
      {isReady ? (
        <SuiteForm
          key={from}
          from={from}
          flows={flows.data ?? []}
          source={from === null ? null : (source.data ?? null)}
        />
      ) : (
        <LoadingBars />
      )}
    </Page>
  );
}

interface RunValues {
  text: string;
  files: Record<string, string>;
  flow: string;
  only: string[];
  repeat: number | "";
  seed: number | "";
  mode: NonNullable<SimulationSource["mode"]> | "";
}

/** Form of the suite. What is typed is there again after the page was left, until the suite is run or discarded. */
function SuiteForm(props: { from: string | null; flows: Flow[]; source: SimulationSource | null }) {
  const { from, flows, source } = props;
  const keptAs = `suite:${useWorkspace().id}:${from ?? ""}`;
  const [initial] = useState(() => startOf(flows, source));
  const [values, setValues] = useKeptState<RunValues>(keptAs, () => initial);
  const isChanged = !isSame(values, initial);
  useLeaveWarning(isChanged);
  const change = (next: Partial<RunValues>) => setValues({ ...values, ...next });
  const { fault, isStarting, start } = useStart(values, source, keptAs);
  const discard = isChanged ? () => setValues(initial) : null;
  return (
    <Stack>
      <FormFault fault={fault} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <TextEditor
            label={t`Suite`}
            description={t`YAML or JSON. Ctrl+Enter runs it.`}
            language="plain"
            minHeight={420}
            value={values.text}
            onChange={(text) => change({ text })}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <RunCard {...{ flows, initial, values, change, isStarting, start, discard }} />
            <FilesCard files={values.files} change={change} />
            <PersonasCard add={(name) => change({ text: withScenario(values.text, name) })} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** Runs the suite, also on Ctrl+Enter; then its input is kept no longer. */
function useStart(values: RunValues, source: SimulationSource | null, keptAs: string) {
  const openMade = useOpenMade();
  const [fault, setFault] = useState<string | null>(null);
  const write = useWrite<Simulation, RunValues>({
    failed: t`The simulation was not run`,
    method: "POST",
    path: "/simulations",
    body: (run) => toBody(run, source),
    refreshes: ["/simulations"],
  });
  const notify = useFaultNotice();
  const run = useOneAtATime(async () => {
    setFault(null);
    try {
      const { id } = await write.mutateAsync(values);
      forgetUnsaved(keptAs);
      openMade({ path: `/simulations/${id}`, done: t`The simulation runs.`, isQuiet: true });
    } catch (error) {
      notify(error, () => setFault(explainError(error)));
    }
  });
  const start = () => void run();
  useRunKey(start);
  return { fault, isStarting: write.isPending, start };
}

function RunCard(props: {
  flows: Flow[];
  initial: RunValues;
  values: RunValues;
  change: (next: Partial<RunValues>) => void;
  isStarting: boolean;
  start: () => void;
  /** Null: nothing was changed. */
  discard: (() => void) | null;
}) {
  const { flows, initial, values, change, isStarting, start, discard } = props;
  const choices = [
    ...(initial.flow === FROM_RUN ? [{ value: FROM_RUN, label: t`The one of the earlier run` }] : []),
    { value: FROM_SUITE, label: t`The one that the suite names` },
    ...flows.map(({ id, name, apiId }) => ({ value: id, label: name ?? apiId })),
  ];
  return (
    <Card title={t`Run`}>
      <Stack gap="sm">
        <Select
          label={t`Flow`}
          data={choices}
          allowDeselect={false}
          searchable
          value={values.flow}
          onChange={(flow) => flow !== null && change({ flow })}
        />
        <RunOptions {...{ values, change }} />
        <Button leftSection={<Icon name="play" size={14} />} loading={isStarting} onClick={start}>
          {t`Run`}
        </Button>
        {discard && (
          <Button variant="default" onClick={discard}>
            {t`Discard`}
          </Button>
        )}
      </Stack>
    </Card>
  );
}

/** Changes of a run to its suite. */
function RunOptions({ values, change }: { values: RunValues; change: (next: Partial<RunValues>) => void }) {
  return (
    <>
      <TagsInput
        label={t`Only these scenarios`}
        {...(values.only.length === 0 ? { placeholder: t`all` } : {})}
        clearable
        value={values.only}
        onChange={(only) => change({ only })}
      />
      <NumberInput
        label={t`Conversations of each scenario`}
        placeholder={t`as the suite says`}
        min={1}
        max={1_000}
        allowDecimal={false}
        value={values.repeat}
        onChange={(repeat) => change({ repeat: repeat === "" ? "" : Number(repeat) })}
      />
      <NumberInput
        label={t`First seed`}
        placeholder={t`as the suite says`}
        min={0}
        max={2_147_483_647}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={values.seed}
        onChange={(seed) => change({ seed: seed === "" ? "" : Number(seed) })}
      />
      <Select
        label={t`Mode`}
        data={[
          { value: "", label: t`as the suite says` },
          { value: "TEXT", label: t`Text` },
          { value: "AUDIO", label: t`Audio` },
        ]}
        allowDeselect={false}
        value={values.mode}
        onChange={(mode) => mode !== null && change({ mode: mode as RunValues["mode"] })}
      />
    </>
  );
}

interface FilesProps {
  files: Record<string, string>;
  change: (next: Partial<RunValues>) => void;
}

function FilesCard({ files, change }: FilesProps) {
  const [fault, setFault] = useState<string | null>(null);
  const load = async (loaded: File[]) => {
    const texts = await Promise.all(loaded.map(async (file) => [file.name, await file.text()] as const));
    const suite = texts.find(([name]) => /suite\.(ya?ml|json)$/i.test(name));
    const others = texts.filter((one) => one !== suite).map(([name, text]) => [`./${name}`, text] as const);
    const isTooLong = suite !== undefined && suite[1].length > LONGEST_SUITE;
    setFault(
      isTooLong ? t`${suite[0]} is larger than 1 MB, which a suite may not be. The editor keeps its text.` : null,
    );
    change({
      files: { ...files, ...Object.fromEntries(others) },
      ...(suite && !isTooLong ? { text: suite[1] } : {}),
    });
  };
  return (
    <Card
      title={t`Files`}
      actions={
        <FileButton multiple accept=".yaml,.yml,.json" onChange={(loaded) => void load(loaded)}>
          {(button) => (
            <Button size="compact-sm" variant="default" leftSection={<Icon name="upload" size={14} />} {...button}>
              {t`Load`}
            </Button>
          )}
        </FileButton>
      }
    >
      <FormFault fault={fault} />
      {Object.keys(files).length === 0 ? (
        <Text fz="sm" c="dimmed">
          {t`Load a .suite.yaml into the editor, and beside it the personas and flows that it names as files.`}
        </Text>
      ) : (
        <FileList files={files} change={change} />
      )}
    </Card>
  );
}

function FileList({ files, change }: FilesProps) {
  return (
    <ul className="plain-list">
      {Object.keys(files).map((name) => (
        <li key={name}>
          <Group justify="space-between" wrap="nowrap">
            <span className="mono break">{name}</span>
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              onClick={() =>
                change({ files: Object.fromEntries(Object.entries(files).filter(([one]) => one !== name)) })
              }
              aria-label={t`Remove ${name}`}
            >
              {t`Remove`}
            </Button>
          </Group>
        </li>
      ))}
    </ul>
  );
}

function PersonasCard({ add }: { add: (name: string) => void }) {
  const read = useRead<Persona[]>("/personas");
  return (
    <Card title={t`People who can answer`} padded={false}>
      <ReadFault read={read} />
      <div className="persona-list" role="region" aria-label={t`People who can answer`} tabIndex={0}>
        {(read.data ?? []).map(({ name, title, description }) => (
          <Group key={name} justify="space-between" wrap="nowrap" gap="xs" className="persona-row">
            <div className="shrink">
              <Text fz="sm" fw={550}>
                {title}
              </Text>
              <Text fz="xs" c="dimmed">
                {description}
              </Text>
            </div>
            <Button size="compact-xs" variant="default" onClick={() => add(name)} aria-label={t`Add ${title}`}>
              {t`Add`}
            </Button>
          </Group>
        ))}
      </div>
    </Card>
  );
}

/** Runs `start` on Ctrl+Enter anywhere on the page. */
function useRunKey(start: () => void): void {
  useListedKeys([{ keys: `${COMMAND_KEY} Enter`, label: t`Run the suite`, group: t`Simulations` }]);
  useEffect(() => {
    const take = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) start();
    };
    window.addEventListener("keydown", take);
    return () => window.removeEventListener("keydown", take);
  });
}

function startOf(flows: Flow[], source: SimulationSource | null): RunValues {
  const text = source?.suite ?? firstSuite(flows[0]?.apiId ?? "my-flow");
  return {
    text: typeof text === "string" ? text : `${JSON.stringify(text, null, 2)}\n`,
    files: source?.files ?? {},
    flow: flowOf(flows, source?.flow),
    only: source?.only ?? [],
    repeat: source?.repeat ?? "",
    seed: source?.seed ?? "",
    mode: source?.mode ?? "",
  };
}

function flowOf(flows: Flow[], asked: unknown): string {
  if (asked === undefined || asked === null) return FROM_SUITE;
  return flows.find(({ id, apiId }) => asked === id || asked === apiId)?.id ?? FROM_RUN;
}

function toBody({ text, files, flow, only, repeat, seed, mode }: RunValues, source: SimulationSource | null): object {
  const chosen = flow === FROM_RUN ? source?.flow : flow;
  return {
    suite: text,
    files,
    ...(flow === FROM_SUITE ? {} : { flow: chosen }),
    ...(only.length === 0 ? {} : { only }),
    ...(repeat === "" ? {} : { repeat }),
    ...(seed === "" ? {} : { seed }),
    ...(mode === "" ? {} : { mode }),
  };
}

/** Appends a scenario to a suite, which must be YAML that ends with its scenarios. */
function withScenario(text: string, persona: string): string {
  return `${text.trimEnd()}

  - name: ${persona}
    persona: ${persona}
`;
}
