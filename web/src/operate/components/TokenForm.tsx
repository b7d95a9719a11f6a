import { Button, Group, PasswordInput } from "@mantine/core";
import { useState } from "react";

/** Takes a token. */
export function TokenForm({ onToken }: { onToken: (token: string) => void }) {
  const [typed, setTyped] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== "") {
          onToken(typed);
          setTyped("");
        }
      }}
    >
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
  );
}
