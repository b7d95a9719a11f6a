import { Badge } from "@mantine/core";
import type { SourceStatus } from "../../../api/types";

const LOOKS: Record<SourceStatus, { label: string; color: string }> = {
  ok: { label: "Complete", color: "teal" },
  stale: { label: "Stale", color: "lamp" },
  missing: { label: "Missing", color: "orange" },
  error: { label: "Error", color: "red" },
  not_configured: { label: "Not configured", color: "gray" },
};

export function SourceBadge({ status }: { status: SourceStatus }) {
  const { label, color } = LOOKS[status];
  return (
    <Badge variant="light" color={color} tt="none" miw="max-content">
      {label}
    </Badge>
  );
}
