import { Stack } from "@mantine/core";
import { ShieldX } from "lucide-react";
import { StateMessage } from "../../shared/states/StateMessage";
import { TokenForm } from "./TokenForm";

interface Props {
  token: string | null;
  onToken: (token: string | null) => void;
  /** Why; without it what is missing is a token. */
  reason?: string | null;
}

/** In place of a world that does not show itself to everybody. */
export function Locked({ token, onToken, reason = null }: Props) {
  const missing =
    token === null
      ? "This world shows itself only to those who have a token."
      : "The token is not known here; type another one.";
  return (
    <Stack align="center" gap={0}>
      <StateMessage
        icon={ShieldX}
        tone="bad"
        title="This world is not shown"
        hint={reason ?? missing}
        action={token === null ? undefined : { label: "Forget the token and try again", onClick: () => onToken(null) }}
        isCompact
      />
      <TokenForm onToken={onToken} />
    </Stack>
  );
}
