import { Tooltip } from "@mantine/core";
import { formatWholePercent } from "../../shared/format";
import type { HudGauge, HudRow } from "../renderer";
import classes from "./Hud.module.css";

/** The gauges of a world: bars where a value is a share of something, plain numbers elsewhere. */
export function Hud({ gauges }: { gauges: readonly HudGauge[] }) {
  const bars = gauges.filter((gauge) => gauge.share !== undefined && gauge.parts === undefined);
  const stacked = gauges.filter((gauge) => gauge.parts !== undefined);
  const lists = gauges.filter((gauge) => gauge.rows !== undefined);
  const plain = gauges.filter((gauge) => gauge.share === undefined && gauge.rows === undefined);
  return (
    <div className={classes.hud} data-testid="hud">
      {bars.length > 0 && (
        <div className={classes.bars}>
          {bars.map((gauge) => (
            <Bar key={gauge.key} gauge={gauge} />
          ))}
        </div>
      )}
      {stacked.map((gauge) => (
        <Stacked key={gauge.key} gauge={gauge} />
      ))}
      {lists.map((gauge) => (
        <Listed key={gauge.key} gauge={gauge} rows={gauge.rows ?? []} />
      ))}
      <dl className={classes.facts}>
        {plain.map((gauge) => (
          <Tooltip key={gauge.key} label={gauge.hint} multiline maw={260} openDelay={300}>
            <div className={classes.fact} data-gauge={gauge.key}>
              <dt>{gauge.label}</dt>
              <dd data-tone={gauge.tone}>{gauge.text}</dd>
            </div>
          </Tooltip>
        ))}
      </dl>
    </div>
  );
}

function Bar({ gauge }: { gauge: HudGauge }) {
  const share = gauge.share ?? 0;
  return (
    <Tooltip label={gauge.hint} multiline maw={260} openDelay={300}>
      <div className={classes.bar} data-gauge={gauge.key}>
        <span className={classes.label}>{gauge.label}</span>
        <div
          className={classes.track}
          role="img"
          aria-label={`${gauge.label} ${gauge.text}, ${formatWholePercent(share)}`}
        >
          <div className={classes.fill} data-tone={gauge.tone} style={{ width: `${share * 100}%` }} />
        </div>
        <span className={classes.value}>{gauge.text}</span>
      </div>
    </Tooltip>
  );
}

/** Numbers that may be good or bad: bars to the right and to the left of a middle. */
function Listed({ gauge, rows }: { gauge: HudGauge; rows: readonly HudRow[] }) {
  return (
    <div data-gauge={gauge.key}>
      <Tooltip label={gauge.hint} multiline maw={260} openDelay={300}>
        <h3 className={classes.listTitle}>{gauge.label}</h3>
      </Tooltip>
      {rows.length === 0 && <p className={classes.none}>{gauge.text}</p>}
      <ul className={classes.list}>
        {rows.map(({ label, text, share }) => (
          <li key={label}>
            <span className={classes.label}>{label}</span>
            <span className={classes.balance} data-tone={share < 0 ? "bad" : "good"} aria-hidden>
              <i style={{ width: `${Math.min(1, Math.abs(share)) * 50}%` }} />
            </span>
            <span className={classes.rowText}>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Stacked({ gauge }: { gauge: HudGauge }) {
  const parts = gauge.parts ?? [];
  return (
    <div data-gauge={gauge.key}>
      <Tooltip label={gauge.hint} multiline maw={260} openDelay={300}>
        <div className={classes.bar}>
          <span className={classes.label}>{gauge.label}</span>
          <div className={classes.track} role="img" aria-label={`${gauge.label} ${gauge.text}`}>
            <div className={classes.stack}>
              {parts.map((part) => (
                <span key={part.label} style={{ width: `${part.share * 100}%`, background: part.color }} />
              ))}
            </div>
          </div>
          <span className={classes.value}>{gauge.text.split(" ")[0]}</span>
        </div>
      </Tooltip>
      <ul className={classes.goods}>
        {parts.map((part) => (
          <li key={part.label} data-empty={part.value === 0}>
            <i style={{ background: part.color }} aria-hidden />
            <span>{part.label}</span>
            <b>{part.value.toFixed(1)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
