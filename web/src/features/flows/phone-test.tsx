import { Anchor, Text } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { useWatchedCall } from "#web/api/live.tsx";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { isUnderWay } from "#web/domain/call/call.ts";
import { t } from "#web/i18n/t.ts";
import { RunTrail } from "./stages/run-trail.tsx";
import type { TestProps } from "./test-props.ts";

interface WebCall {
  callRowId: string;
  token: string;
  socketUrl: string;
}

/** The element that /web-phone.js defines. */
interface PhoneElement extends HTMLElement {
  requestCall?: () => Promise<WebCall>;
}

const SCRIPT = "/web-phone.js";

/** Web call with the form's flow, spoken or typed. */
export function PhoneTest({ fields, contactName, showRun }: TestProps) {
  const box = useRef<HTMLDivElement>(null);
  const [callRowId, setCallRowId] = useState<string | null>(null);
  const write = useWrite<WebCall, void>({
    failed: t`The call did not begin`,
    method: "POST",
    path: "/web-calls",
    body: () => ({ flow: fields, contactName: contactName || null }),
    refreshes: ["/call-history"],
  });
  const request = useRef(write.mutateAsync);
  useEffect(() => {
    request.current = write.mutateAsync;
  });
  useEffect(() => {
    loadScript();
    const phone: PhoneElement = document.createElement("parley-phone");
    phone.className = "web-phone";
    phone.setAttribute("call-url", "#");
    phone.requestCall = async () => {
      try {
        const call = await request.current();
        setCallRowId(call.callRowId);
        return call;
      } catch (error) {
        showFault(error);
        throw error;
      }
    };
    box.current?.append(phone);
    return () => phone.remove();
  }, []);
  return (
    <div>
      <Text fz="sm" c="dimmed" mb="sm">
        {t`A real call from this page: your microphone when the server can hear and speak, else by typing. No telephone rings.`}
      </Text>
      <div ref={box} />
      {callRowId !== null && <PhoneRun rowId={callRowId} showRun={showRun} />}
      {callRowId !== null && (
        <Anchor component={Link} href={`/calls/${callRowId}`} fz="sm" mt="sm" display="inline-block">
          {t`Open this call`}
        </Anchor>
      )}
    </div>
  );
}

/** Stages of the call, followed while it runs. */
function PhoneRun({ rowId, showRun }: { rowId: string } & Pick<TestProps, "showRun">) {
  const read = useRead<CallRow>(`/call-rows/${rowId}`);
  const call = read.data?.id === rowId ? read.data : undefined;
  useWatchedCall(call && !isUnderWay(call) ? null : rowId);
  return call ? <RunTrail path={call.stagePath} isOver={!isUnderWay(call)} showRun={showRun} /> : null;
}

function loadScript(): void {
  if (customElements.get("parley-phone") || document.querySelector(`script[src="${SCRIPT}"]`)) return;
  const script = document.createElement("script");
  script.src = SCRIPT;
  document.head.append(script);
}
