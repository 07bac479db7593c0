import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";

/**
 * Where short messages appear: at the top, because what a form is saved with and what a chat is answered with stand at the
 * bottom, on a phone over its whole width.
 */
export function Toasts() {
  return <Notifications position="top-center" notificationMaxHeight={320} />;
}
