import { Group, Loader, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { PlugZap } from "lucide-react";
import { useEffect, useRef } from "react";
import classes from "./ConnectionBanner.module.css";
import { useConnection } from "./useConnection";

/** Says that the server is away and that nothing needs to be done: the page catches up by itself. */
export function ConnectionBanner() {
  const connection = useConnection();
  const wasDown = useRef(false);

  useEffect(() => {
    if (connection === "down") {
      wasDown.current = true;
    } else if (connection === "up" && wasDown.current) {
      wasDown.current = false;
      notifications.show({ message: "The server is back; everything is up to date.", color: "teal" });
    }
  }, [connection]);

  if (connection !== "down") {
    return null;
  }
  return (
    <div className={classes.banner} role="alert">
      <Group gap="sm" justify="center">
        <PlugZap size={16} aria-hidden />
        <Text size="sm" fw={550}>
          The server does not answer. Is <code>diorama serve</code> running?
        </Text>
        <Group gap={6}>
          <Loader size={12} color="currentColor" />
          <Text size="sm">Trying again</Text>
        </Group>
      </Group>
    </div>
  );
}
