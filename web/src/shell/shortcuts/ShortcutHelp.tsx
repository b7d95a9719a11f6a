import { Group, Kbd, Modal, SimpleGrid, Stack, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Fragment } from "react";
import { useLocation } from "wouter";
import { type ShortcutSection, useShortcutSections } from "../../shared/shortcuts/registry";
import { closeShortcutHelp, openShortcutHelp, useShortcutHelpOpen } from "./helpState";

const EVERYWHERE: ShortcutSection = {
  title: "Everywhere",
  shortcuts: [
    { keys: ["?"], does: "Show this help" },
    { keys: ["Alt", "1"], does: "First page" },
    { keys: ["Alt", "2"], does: "Watch" },
    { keys: ["Alt", "3"], does: "Play" },
    { keys: ["Alt", "4"], does: "Study" },
  ],
};

export function ShortcutHelp() {
  const [, go] = useLocation();
  const isOpen = useShortcutHelpOpen();
  const sections = [...useShortcutSections(), EVERYWHERE];
  useHotkeys([
    ["shift+?", openShortcutHelp],
    ["?", openShortcutHelp],
    ["alt+1", () => go("/")],
    ["alt+2", () => go("/watch")],
    ["alt+3", () => go("/play")],
    ["alt+4", () => go("/analytics")],
  ]);
  return (
    <Modal opened={isOpen} onClose={closeShortcutHelp} title="Keyboard shortcuts" size="lg" centered>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {sections.map((section) => (
          <Stack key={section.title} gap={8}>
            <Text className="overline">{section.title}</Text>
            {section.shortcuts.map((shortcut) => (
              <Group key={shortcut.does} justify="space-between" wrap="nowrap">
                <Text size="sm">{shortcut.does}</Text>
                <Group gap={4} wrap="nowrap">
                  {shortcut.keys.map((key) => (
                    <Fragment key={key}>
                      <Kbd>{key}</Kbd>
                    </Fragment>
                  ))}
                </Group>
              </Group>
            ))}
          </Stack>
        ))}
      </SimpleGrid>
    </Modal>
  );
}
