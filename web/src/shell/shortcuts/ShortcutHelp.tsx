import { Group, Kbd, Modal, SimpleGrid, Stack, Text } from "@mantine/core";
import { type HotkeyItem, useHotkeys } from "@mantine/hooks";
import { useLocation } from "wouter";
import { type ShortcutSection, useShortcutSections } from "../../shared/shortcuts/registry";
import { PAGES } from "../header/pages";
import { closeShortcutHelp, openShortcutHelp, useShortcutHelpOpen } from "./helpState";

/** Pages by number, in the order of the header. */
const NUMBERED = [{ label: "First page", href: "/" }, ...PAGES].map(({ label, href }, place) => ({
  label,
  href,
  key: `${place + 1}`,
}));

const EVERYWHERE: ShortcutSection = {
  title: "Everywhere",
  shortcuts: [
    { keys: ["?"], does: "Show this help" },
    ...NUMBERED.map(({ label, key }) => ({ keys: ["Alt", key], does: label })),
  ],
};

export function ShortcutHelp() {
  const [, go] = useLocation();
  const isOpen = useShortcutHelpOpen();
  const sections = [...useShortcutSections(), EVERYWHERE];
  useHotkeys([
    ["shift+?", openShortcutHelp],
    ["?", openShortcutHelp],
    ...NUMBERED.map(({ href, key }): HotkeyItem => [`alt+${key}`, () => go(href)]),
  ]);
  return (
    <Modal opened={isOpen} onClose={closeShortcutHelp} title="Keyboard shortcuts" size="lg" centered>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {sections.map((section) => (
          <Stack key={section.title} gap={8}>
            <Text component="h3" className="overline" m={0}>
              {section.title}
            </Text>
            {section.shortcuts.map((shortcut) => (
              <Group key={shortcut.does} justify="space-between" wrap="nowrap">
                <Text size="sm">{shortcut.does}</Text>
                <Group gap={4} wrap="nowrap">
                  {shortcut.keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
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
