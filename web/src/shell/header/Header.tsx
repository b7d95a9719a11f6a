import { ActionIcon, Group, Text, Tooltip } from "@mantine/core";
import { Keyboard } from "lucide-react";
import { Link } from "wouter";
import { openShortcutHelp } from "../shortcuts/helpState";
import { ColorSchemeToggle } from "./ColorSchemeToggle";
import classes from "./Header.module.css";
import { Logo } from "./Logo";
import { Navigation } from "./Navigation";
import { WorldPicker } from "./WorldPicker";

export function Header() {
  return (
    <Group h="100%" wrap="nowrap" justify="space-between" className={classes.bar}>
      <Group wrap="nowrap" className={classes.start}>
        <Link href="/" className={classes.brand} aria-label="Diorama, first page">
          <Logo />
          <Text component="span" fw={700} fz={18} lts="-0.02em" className={classes.name}>
            Diorama
          </Text>
        </Link>
        <Navigation />
      </Group>
      <Group gap="xs" wrap="nowrap" className={classes.end}>
        <WorldPicker />
        <ColorSchemeToggle />
        <Tooltip label="Keyboard shortcuts (?)">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Keyboard shortcuts"
            className={classes.keyboard}
            onClick={openShortcutHelp}
          >
            <Keyboard size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  );
}
