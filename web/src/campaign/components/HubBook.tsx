import { Badge } from "@mantine/core";
import { capitalize } from "../../shared/capitalize";
import { Fact } from "../../shared/Fact";
import { formatCompact, formatPercent } from "../../shared/format";
import { bannerOf } from "../state/banners";
import type { CampaignView, Hub } from "../state/view";
import { amountWords, bandTone, gaugeShare, plain, stockTone } from "../state/words";
import book from "./Book.module.css";
import { Emblem } from "./Emblem";
import { Gauge } from "./Gauge";
import classes from "./HubBook.module.css";

/** A hub: stores, government, currents of opinion, works. */
export function HubBook({ hub, view }: { hub: Hub; view: CampaignView }) {
  const { government } = hub;
  const owner = view.factions.find((faction) => faction.id === hub.owner);
  return (
    <>
      <div className={book.line}>
        <Emblem banner={bannerOf(hub.owner, view.factions)} size={16} />
        <b>{owner?.name ?? hub.owner}</b>
        <span>{capitalize(plain(hub.kind))}</span>
        <span>{formatCompact(hub.population)} people</span>
        {hub.is_rationing && <Badge color="lamp">rationing</Badge>}
        {hub.crises.map((crisis) => (
          <Badge key={crisis.kind} color="red" variant="light">
            {plain(crisis.kind)} until day {crisis.deadline_day}
          </Badge>
        ))}
        {hub.conquest !== null && <Badge variant="light">{plain(hub.conquest.state)}</Badge>}
      </div>
      <div className={classes.columns}>
        <div>
          <h3 className="overline">Stores</h3>
          <div className={classes.gauges}>
            {hub.stock.map((stock) => (
              <Gauge
                key={stock.resource}
                label={capitalize(plain(stock.resource))}
                value={stock.days === null ? formatCompact(stock.amount) : daysWords(stock.days)}
                share={gaugeShare(stock.days)}
                tone={stockTone(stock.status)}
                note={`${formatCompact(stock.amount)} in store, ${signed(stock.change)} today${
                  stock.status === null ? "" : `, ${plain(stock.status)}`
                }`}
              />
            ))}
          </div>
        </div>
        <div>
          <h3 className="overline">Government</h3>
          <div className={classes.gauges}>
            <Gauge
              label="Legitimacy"
              value={`${formatPercent(government.legitimacy)} ${government.band}`}
              share={government.legitimacy}
              tone={bandTone(government.band)}
            />
            {hub.blocs.map((bloc) => (
              <Gauge
                key={bloc.kind}
                label={capitalize(plain(bloc.kind))}
                value={formatPercent(bloc.share)}
                share={bloc.share}
                tone={bloc.radicalization > 0.5 ? "bad" : "dim"}
                note={`${formatPercent(bloc.satisfaction)} content, ${formatPercent(bloc.radicalization)} radical`}
              />
            ))}
          </div>
        </div>
        <dl className={book.facts}>
          <Fact label="Rule" value={`${capitalize(plain(government.kind))}, ${plain(government.ruling)} in power`} />
          <Fact label="Political capital" value={`${Math.round(government.capital)}`} />
          <Fact label="Next election" value={`day ${government.next_election_day}`} />
          <Fact label="Governor" value={hub.governor?.name ?? "none"} />
          <Fact label="Security" value={formatCompact(hub.security)} />
          <Fact label="Efficiency" value={formatPercent(hub.efficiency)} />
          <Fact label="Works" value={amountWords(hub.facilities)} />
          <Fact label="Shipyard" value={yardWords(hub)} />
          {government.queue.length > 0 && (
            <Fact
              label="Being decided"
              value={government.queue
                .map((item) => `${item.text}${item.ready_day === null ? "" : ` (day ${item.ready_day})`}`)
                .join("; ")}
            />
          )}
          {hub.investments.length > 0 && (
            <Fact
              label="Being built up"
              value={hub.investments.map((item) => `${plain(item.chain)} by day ${item.ready_day}`).join(", ")}
            />
          )}
        </dl>
      </div>
    </>
  );
}

function daysWords(days: number): string {
  return `${days < 10 ? days.toFixed(1) : Math.round(days)} days`;
}

function signed(amount: number): string {
  return `${amount < 0 ? "−" : "+"}${formatCompact(Math.abs(Math.round(amount)))}`;
}

function yardWords(hub: Hub): string {
  const builds = hub.builds.map((build) => `${plain(build.class_id)} in ${Math.ceil(build.days_left)} days`);
  return `level ${hub.yard_level}${builds.length > 0 ? `: ${builds.join(", ")}` : ", idle"}`;
}
