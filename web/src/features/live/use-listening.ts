import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, explainError } from "#web/api/api-error.ts";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { CallAudio, type SpeakMode } from "./call-audio.ts";

/** State of listening to a call. */
export type ListeningState = "OFF" | "CONNECTING" | SpeakMode;

interface Ticket {
  token: string;
  socketUrl: string;
}

/** A person's ear on one call at a time. */
export interface Listening {
  state: ListeningState;
  fault: string | null;
  /** Opens the audio of a call, in place of another one's, and takes up a mode. */
  listen: (rowId: string, mode?: SpeakMode) => Promise<void>;
  change: (mode: SpeakMode) => Promise<void>;
  stop: () => void;
}

/** Lets a person listen to a call and speak in it; leaving the screen ends both. */
export function useListening(): Listening {
  const { id: workspaceId } = useWorkspace();
  const [state, setState] = useState<ListeningState>("OFF");
  const [fault, setFault] = useState<string | null>(null);
  const audio = useRef<CallAudio | null>(null);
  const stop = useCallback(() => {
    audio.current?.close();
    audio.current = null;
    setState("OFF");
  }, []);
  useEffect(
    () => () => {
      audio.current?.close();
      audio.current = null;
    },
    [],
  );
  const change = async (mode: SpeakMode) => {
    setFault(null);
    const mine = audio.current;
    try {
      if ((await mine?.change(mode)) && audio.current === mine) setState(mode);
    } catch (error) {
      if (audio.current === mine) setFault(explainMicrophone(error));
    }
  };
  const listen = async (rowId: string, mode: SpeakMode = "LISTEN") => {
    stop();
    setFault(null);
    setState("CONNECTING");
    const mine = new CallAudio();
    audio.current = mine;
    try {
      const ticket = await send<Ticket>("POST", inWorkspace(workspaceId, `/call-rows/${rowId}/supervise`), {
        body: {},
      });
      await mine.open(ticket, (why) => {
        if (audio.current !== mine) return;
        stop();
        setFault(why);
      });
      if (audio.current !== mine) return;
      setState("LISTEN");
      if (mode !== "LISTEN") await change(mode);
    } catch (error) {
      if (audio.current !== mine) return;
      stop();
      setFault(error instanceof ApiError && error.status === 409 ? error.message : explainError(error));
    }
  };
  return { state, fault, listen, change, stop };
}

function explainMicrophone(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError")
    return t`The browser may not use the microphone. Allow it for this page and try again.`;
  if (name === "NotFoundError") return t`No microphone was found on this device.`;
  return explainError(error);
}
