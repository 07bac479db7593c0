import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useLocation } from "wouter";
import { send } from "#web/api/http.ts";
import { sendWaiting, showFault } from "#web/api/undo.tsx";

/** Ends the session and forgets everything that was read. */
export function useSignOut(): () => void {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return useCallback(() => {
    sendWaiting()
      .then(() => send("POST", "/api/console/sign-out"))
      .then(() => {
        client.clear();
        navigate("~/sign-in");
        window.location.reload();
      })
      .catch(showFault);
  }, [client, navigate]);
}
