import { send } from "#web/api/http.ts";
import { sendWaiting, showFault } from "#web/api/undo.tsx";

/** Ends the session and loads the page anew, which forgets everything that was read. */
export function signOut(): void {
  sendWaiting()
    .then(() => send("POST", "/api/console/sign-out"))
    .then(() => {
      // Past the router, which would draw the screens once more with nobody in front of them.
      History.prototype.pushState.call(window.history, null, "", "/sign-in");
      window.location.reload();
    })
    .catch(showFault);
}
