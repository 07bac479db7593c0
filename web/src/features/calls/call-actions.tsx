import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { CallRow } from "@parley/sdk";
import { lazy, Suspense } from "react";
import { Link } from "wouter";
import { showExactly } from "#web/api/exact-json.ts";
import { showDone } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { isUnderWay } from "#web/domain/call/call.ts";
import { StopButton } from "#web/domain/call/stop-button.tsx";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { snippetsOf } from "#web/ui/snippets.ts";

const PlaceCallDrawer = lazy(async () => ({
  default: (await import("#web/domain/call/place-call-drawer.tsx")).PlaceCallDrawer,
}));
const TestDialog = lazy(async () => ({ default: (await import("./test-dialog.tsx")).TestDialog }));

/** Actions of a call. */
export function CallActions({ call }: { call: CallRow }) {
  const canCall = useMay("OUTBOUND_CALLS_TRIGGER");
  const mayStop = useMay("CALL_JOBS_WRITE");
  const [isPlacing, place] = useDisclosure(false);
  const [isTesting, test] = useDisclosure(false);
  const data = (value: unknown) => showExactly(value ?? {});
  const { customerNumber, flowApiId } = call;
  const initial = {
    customerNumber,
    flowApiId,
    contactName: call.contactName ?? "",
    rowData: data(call.rowData),
    contextData: data(call.contextData),
  };
  return (
    <>
      {!isUnderWay(call) && call.transcript.length > 0 && (
        <Button variant="default" leftSection={<Icon name="test" />} onClick={test.open}>
          {t`Make a test`}
        </Button>
      )}
      {mayStop && call.actions.includes("cancel") && <StopButton rowId={call.id} how="cancel" />}
      {call.actions.includes("end") && (
        <Button component={Link} href={`/live?call=${call.id}`} leftSection={<Icon name="live" />}>
          {t`Follow live`}
        </Button>
      )}
      <CopyMenu call={call} />
      {canCall && (
        <Button variant="default" leftSection={<Icon name="phone" />} onClick={place.open}>
          {t`Call again`}
        </Button>
      )}
      <Suspense fallback={null}>
        {isTesting && <TestDialog rowId={call.id} close={test.close} />}
        {isPlacing && <PlaceCallDrawer close={place.close} initial={initial} />}
      </Suspense>
    </>
  );
}

function CopyMenu({ call }: { call: CallRow }) {
  const snippets = snippetsOf(
    {
      method: "GET",
      path: `/call-rows/${call.id}`,
      command: `calls watch ${call.id} --json`,
      sdk: `client.calls.get(${JSON.stringify(call.id)})`,
    },
    window.location.origin,
  );
  const copy = (name: string, text: string) =>
    void navigator.clipboard.writeText(text).then(() => showDone(t`${name} copied.`));
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="copy" />} rightSection={<Icon name="down" size={12} />}>
          {t`Copy as`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {snippets.map(({ name, text }) => (
          <Menu.Item key={name} onClick={() => copy(name, text)}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => copy("JSON", showExactly(call))}>{"JSON"}</Menu.Item>
        <Menu.Item onClick={() => copy(t`Transcript`, call.transcriptText)}>{t`Transcript`}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
