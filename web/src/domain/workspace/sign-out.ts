import { send } from "#web/api/http.ts";
import { sendWaiting, showFault } from "#web/api/undo.tsx";

/** Ends the session and reloads the page, which drops all cached data. */
export function signOut(): void {
  sendWaiting()
    .then(() => send("POST", "/api/console/sign-out"))
    .then(() => {
      // Bypasses the router, which would draw the screens once more without a signed-in person.
      History.prototype.pushState.call(window.history, null, "", "/sign-in");
      window.location.reload();
    })
    .catch(showFault);
}
