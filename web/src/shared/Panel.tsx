import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A titled case. */
export function Panel({ title, note, action, children }: Props) {
  return (
    <section className="case" aria-label={title}>
      <Group justify="space-between" px="md" pt="sm" pb="xs" wrap="nowrap">
        <Group gap="xs" align="baseline">
          <Title order={2} size="h6">
            {title}
          </Title>
          {note !== undefined && (
            <Text size="xs" c="dimmed">
              {note}
            </Text>
          )}
        </Group>
        {action}
      </Group>
      {children}
    </section>
  );
}
