import { Button, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

const TONE_COLORS = { neutral: "iris", warn: "lamp", bad: "red" } as const;

export interface StateAction {
  label: string;
  href?: string;
  onClick?: () => void;
}

interface Props {
  icon: LucideIcon;
  title: string;
  hint?: ReactNode;
  tone?: keyof typeof TONE_COLORS;
  action?: StateAction;
  /** Inside a panel the message takes less room than on an empty page. */
  isCompact?: boolean;
}

/** One designed message for empty, stale and failed states: what is the matter and what to do next. */
export function StateMessage({ icon: Icon, title, hint, tone = "neutral", action, isCompact = false }: Props) {
  return (
    <Stack
      align="center"
      justify="center"
      gap="xs"
      py={isCompact ? "lg" : 96}
      px="md"
      role={tone === "bad" ? "alert" : "status"}
    >
      <ThemeIcon variant="light" color={TONE_COLORS[tone]} size={isCompact ? 40 : 56} radius="xl">
        <Icon size={isCompact ? 20 : 28} aria-hidden />
      </ThemeIcon>
      {isCompact ? (
        <Text fw={700} ta="center">
          {title}
        </Text>
      ) : (
        <Title order={2} size="h3" ta="center">
          {title}
        </Title>
      )}
      {hint !== undefined && (
        <Text component="div" c="dimmed" size="sm" ta="center" maw={520}>
          {hint}
        </Text>
      )}
      {action !== undefined && <StateButton action={action} />}
    </Stack>
  );
}

function StateButton({ action }: { action: StateAction }) {
  if (action.href !== undefined) {
    return (
      <Button component={Link} href={action.href} variant="light" mt="xs">
        {action.label}
      </Button>
    );
  }
  return (
    <Button onClick={action.onClick} variant="light" mt="xs">
      {action.label}
    </Button>
  );
}
