import { send } from "#web/api/http.ts";
import { sendWaiting, showFault } from "#web/api/undo.tsx";

/**
 * Ends the session and reloads the page, which drops all cached data. A session that an identity provider opened ends
 * there as well.
 */
export function signOut(): void {
  sendWaiting()
    .then(() => send<{ url: string } | undefined>("POST", "/api/console/sign-out"))
    .then((elsewhere) => {
      if (elsewhere) return window.location.assign(elsewhere.url);
      // Bypasses the router, which would draw the screens once more without a signed-in person.
      History.prototype.pushState.call(window.history, null, "", "/sign-in");
      window.location.reload();
    })
    .catch(showFault);
}
