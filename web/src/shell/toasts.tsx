import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";

/** Where short messages appear. */
export function Toasts() {
  return <Notifications position="top-center" />;
}
