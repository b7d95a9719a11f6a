import { type NotificationData, notifications } from "@mantine/notifications";

/** Tells the player something in the corner of the page. */
export function tell(told: NotificationData): void {
  notifications.show(told);
}
