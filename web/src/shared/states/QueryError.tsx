import { CloudOff, TriangleAlert } from "lucide-react";
import { ApiError } from "../../api/errors";
import { capitalize } from "../capitalize";
import { StateMessage } from "./StateMessage";

interface Props {
  error: Error;
  what: string;
  onRetry: () => void;
  isCompact?: boolean;
}

/** A failed question in the server's own words; an unreachable server is reported as such. */
export function QueryError({ error, what, onRetry, isCompact = true }: Props) {
  const isUnreachable = error instanceof ApiError && error.isUnreachable;
  return (
    <StateMessage
      icon={isUnreachable ? CloudOff : TriangleAlert}
      tone={isUnreachable ? "warn" : "bad"}
      title={isUnreachable ? "Waiting for the server" : `Could not load ${what}`}
      hint={isUnreachable ? `${capitalize(what)} will appear when it answers again.` : error.message}
      action={{ label: "Try again", onClick: onRetry }}
      isCompact={isCompact}
    />
  );
}
