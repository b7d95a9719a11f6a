import { Anchor } from "@mantine/core";
import { memo } from "react";
import { Link } from "wouter";
import type { WindowRow, WorldDescriptor } from "../../api/types";
import { Fact } from "../../shared/Fact";
import { Facts } from "../../shared/Facts";
import { formatCompact, formatNumber } from "../../shared/format";
import { metricLabel, metricText } from "../../shared/world/metrics";
import classes from "./Rail.module.css";

interface Props {
  window: WindowRow | undefined;
  windowId: number;
  descriptor: WorldDescriptor;
}

/** How training stood when the replay was recorded. */
export const WindowMetrics = memo(function WindowMetrics({ window, windowId, descriptor }: Props) {
  if (window === undefined) {
    return (
      <section className={`case ${classes.panel}`}>
        <h2 className="overline">Window {windowId}</h2>
        <p style={{ margin: 0, fontSize: 13, color: "var(--dio-dim)" }}>Its metrics are not written yet.</p>
      </section>
    );
  }
  const values = window as unknown as Readonly<Record<string, unknown>>;
  const shown = [...descriptor.headline, ...descriptor.risk_metrics].map((key) => {
    const value = values[`${key}_mean`];
    return {
      label: metricLabel(descriptor, key),
      text: metricText(descriptor, key, typeof value === "number" ? value : null),
    };
  });
  return (
    <section className={`case ${classes.panel}`}>
      <h2 className="overline">Training window {window.window_id}</h2>
      <Facts>
        <Fact label="Steps so far" value={formatCompact(window.env_steps_total)} />
        <Fact label="Mean return" value={formatNumber(window.return_mean)} />
        {shown.map(({ label, text }) => (
          <Fact key={label} label={label} value={text} />
        ))}
      </Facts>
      <Anchor
        component={Link}
        href={`/analytics?runs=${encodeURIComponent(window.run_id)}`}
        size="sm"
        mt={8}
        display="inline-block"
      >
        Study this run
      </Anchor>
    </section>
  );
});
