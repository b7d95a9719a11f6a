import { Code, List, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import { trackerStatusQuery } from "../../../api/queries";
import type { TrackerStatus } from "../../../api/types";
import { Panel } from "../../../shared/Panel";
import { QueryError } from "../../../shared/states/QueryError";
import { StateMessage } from "../../../shared/states/StateMessage";
import { TrackedRuns } from "./TrackedRuns";
import { TrackerHealth } from "./TrackerHealth";

/** Weights & Biases through the server: the browser never sees a key. */
export function Tracker() {
  const status = useQuery(trackerStatusQuery);
  if (status.data === undefined) {
    return status.error === null ? (
      <Skeleton h={260} radius="lg" role="status" aria-label="Asking the tracker" />
    ) : (
      <QueryError error={status.error} what="the tracker's status" onRetry={() => void status.refetch()} />
    );
  }
  return (
    <Stack>
      {status.data.available ? <TrackedRuns status={status.data} /> : <NotConnected status={status.data} />}
      <Panel title="Connection" note="How the server has asked the tracker">
        <TrackerHealth status={status.data} />
      </Panel>
    </Stack>
  );
}

function NotConnected({ status }: { status: TrackerStatus }) {
  return (
    <div className="case">
      <StateMessage
        icon={Unplug}
        title="Weights & Biases is not connected"
        hint={
          <Stack gap="sm" align="center">
            <Text size="sm">{status.reason}</Text>
            <List size="sm" ta="left" spacing={4}>
              <List.Item>
                Everything else on this page works without it: the windows on disk are the record of a run.
              </List.Item>
              <List.Item>
                To see tracked runs here, start the server with <Code>WANDB_API_KEY</Code>,{" "}
                <Code>DIORAMA_WANDB_ENTITY</Code> and <Code>DIORAMA_WANDB_PROJECT</Code> set.
              </List.Item>
              <List.Item>
                To log without an account, train with <Code>--wandb-mode offline</Code>; such runs are read from the
                disk.
              </List.Item>
            </List>
          </Stack>
        }
        isCompact
      />
    </div>
  );
}
