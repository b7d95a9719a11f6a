import { memo } from "react";
import type { ReplayDetail, WorldDescriptor } from "../../api/types";
import { Fact } from "../../shared/Fact";
import { Facts } from "../../shared/Facts";
import { formatMoment, formatNumber } from "../../shared/format";
import { endText } from "../../shared/replay/endText";
import { ReplayTags } from "../../shared/replay/ReplayTags";
import { metricLabel, metricText } from "../../shared/world/metrics";
import { worldTitle } from "../../shared/world/worldTitle";
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
  return (
    <section className={`case ${classes.panel}`} data-testid="replay-card">
      <h2 className="overline">Replay</h2>
      <Facts>
        <Fact label="Id" value={replay.replay_id} className={classes.wide} />
        <Fact label="Played by" value={player?.name ?? replay.trainer_backend} className={classes.wide} />
        {descriptor.variant !== null && (
          <Fact label="Variant" value={worldTitle(descriptor.variant)} className={classes.wide} />
        )}
        <Fact label="Window" value={`${replay.window_id}`} />
        <Fact label="Steps" value={formatNumber(replay.steps)} />
        <Fact label="Return" value={formatNumber(replay.return_total)} />
        {descriptor.headline.map((key) => (
          <Fact
            key={key}
            label={metricLabel(descriptor, key)}
            value={metricText(descriptor, key, replay.metrics[key])}
          />
        ))}
        <Fact label="Seed" value={`${replay.seed}`} />
        <Fact label="End" value={endText(replay)} />
        <Fact label="Created" value={formatMoment(replay.created_at)} className={classes.wide} />
      </Facts>
      <div className={classes.tags}>
        <ReplayTags tags={replay.tags} />
      </div>
    </section>
  );
});
