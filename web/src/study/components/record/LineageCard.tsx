import { Anchor, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Completeness } from "../../../api/types";
import { formatMoment } from "../../../shared/format";
import { safeHref } from "../../../shared/safeHref";

export function LineageCard({ completeness }: { completeness: Completeness }) {
  const { run_context: run, wandb_scope: scope } = completeness;
  const facts: [string, ReactNode][] = [
    ["Run", run.run_id],
    ["World", run.world],
    ["Backend", run.trainer_backend],
    ["Status", run.status],
    ["Started", formatMoment(run.started_at)],
    ["Updated", formatMoment(run.updated_at)],
    ["Finished", formatMoment(run.finished_at)],
    ["Checked", formatMoment(completeness.generated_at)],
    ["Metadata", run.metadata_path],
    ["Windows", run.metrics_windows_path],
    ["Replay index", run.replay_index_path],
    ["Checkpoints", run.checkpoints_dir],
    ["Configuration", run.config_path],
    [
      "Tracker",
      scope.mode === "disabled" ? "Disabled" : [scope.entity, scope.project, scope.run_id].filter(Boolean).join(" / "),
    ],
    ["Tracker page", <OutsideLink key="wandb" href={run.wandb_run_url} />],
    ["Observatory", <OutsideLink key="constellation" href={run.constellation_url} />],
  ];
  return (
    <SimpleGrid component="dl" cols={{ base: 2, md: 4 }} px="md" pb="md" m={0} verticalSpacing="sm">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="overline">{name}</dt>
          <Text component="dd" m={0} size="sm" style={{ overflowWrap: "anywhere" }}>
            {value ?? "–"}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

function OutsideLink({ href }: { href: string | null }) {
  const safe = safeHref(href);
  if (safe === null) {
    return <>–</>;
  }
  return (
    <Anchor href={safe} target="_blank" rel="noreferrer" size="sm">
      Open
    </Anchor>
  );
}
