import { Badge } from "@mantine/core";
import { memo } from "react";
import type { ReplayDetail, WorldDescriptor } from "../../api/types";
import { formatMoment, formatNumber } from "../../shared/format";
import { worldTitle } from "../../shared/world/worldTitle";
import { tagText } from "../state/tagText";
import classes from "./Rail.module.css";

/** Where a replay comes from and how it went. */
export const ReplayCard = memo(function ReplayCard({
  detail,
  descriptor,
}: {
  detail: ReplayDetail;
  descriptor: WorldDescriptor;
}) {
  const { replay, meta } = detail;
  const player = meta.policy ?? meta.policies?.[0];
  const headline = descriptor.headline.map((key) => ({
    label: descriptor.metrics.find((metric) => metric.key === key)?.label ?? key,
    value: replay.metrics[key],
  }));
  return (
    <section className={`case ${classes.panel}`} data-testid="replay-card">
      <h2 className="overline">Replay</h2>
      <dl className={classes.facts}>
        <Fact label="Id" value={replay.replay_id} isWide />
        <Fact label="Played by" value={player?.name ?? replay.trainer_backend} isWide />
        {descriptor.variant !== null && <Fact label="Variant" value={worldTitle(descriptor.variant)} isWide />}
        <Fact label="Window" value={`${replay.window_id}`} />
        <Fact label="Steps" value={formatNumber(replay.steps)} />
        <Fact label="Return" value={formatNumber(replay.return_total)} />
        {headline.map((metric) => (
          <Fact key={metric.label} label={metric.label} value={formatNumber(metric.value)} />
        ))}
        <Fact label="Seed" value={`${replay.seed}`} />
        <Fact label="End" value={replay.end_reason ?? (replay.terminated ? "by the rules" : "cut off")} />
        <Fact label="Created" value={formatMoment(replay.created_at)} />
      </dl>
      <div className={classes.tags}>
        {replay.tags.map((tag) => (
          <Badge
            key={tag}
            size="sm"
            variant="light"
            color={tag === "best_so_far" ? "lamp" : "gray"}
            tt="none"
            title={tag}
          >
            {tagText(tag)}
          </Badge>
        ))}
      </div>
    </section>
  );
});

function Fact({ label, value, isWide = false }: { label: string; value: string; isWide?: boolean }) {
  return (
    <div className={isWide ? classes.wide : undefined}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
