import { Button, Popover, Text } from "@mantine/core";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { TokenForm } from "./TokenForm";

interface Props {
  token: string | null;
  onToken: (token: string | null) => void;
}

/** Takes the token that lets an operator change things. */
export function TokenButton({ token, onToken }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (token !== null) {
    return (
      <Button size="xs" variant="light" leftSection={<KeyRound size={14} aria-hidden />} onClick={() => onToken(null)}>
        Forget the token
      </Button>
    );
  }
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
        <Text size="sm" maw={300} mb="xs">
          Without a token you watch. An admin's token lets you give commands; it stays in this tab.
        </Text>
        <TokenForm
          onToken={(typed) => {
            onToken(typed);
            setOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
