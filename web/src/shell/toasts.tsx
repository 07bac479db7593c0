import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";

/**
 * Container of the toasts. They appear at the top, because the save bar and the chat composer are at the bottom, on a
 * phone over its whole width.
 */
export function Toasts() {
  return <Notifications position="top-center" notificationMaxHeight={320} />;
}
