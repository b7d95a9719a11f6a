import { Button, Group, PasswordInput, Popover, Text } from "@mantine/core";
import { KeyRound } from "lucide-react";
import { useState } from "react";

interface Props {
  token: string | null;
  onToken: (token: string | null) => void;
}

/** Takes the token that lets an operator change things. */
export function TokenButton({ token, onToken }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  if (token !== null) {
    return (
      <Button size="xs" variant="light" leftSection={<KeyRound size={14} aria-hidden />} onClick={() => onToken(null)}>
        Forget the token
      </Button>
    );
  }
  const take = () => {
    if (typed !== "") {
      onToken(typed);
      setTyped("");
      setOpen(false);
    }
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-end" withArrow>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<KeyRound size={14} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          Operate with a token
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            take();
          }}
        >
          <Text size="sm" maw={300} mb="xs">
            Without a token you watch. An admin's token lets you give commands; it stays in this tab.
          </Text>
          <Group gap="xs" align="end" wrap="nowrap">
            <PasswordInput
              label="Token"
              w={220}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              data-autofocus
            />
            <Button type="submit">Use</Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
