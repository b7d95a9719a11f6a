import { Text } from "@mantine/core";
import classes from "../campaign.module.css";
import type { CampaignView } from "../state/view";
import { amountWords, bandTone, plain } from "../state/words";
import { nameOf } from "./PlaceTab";

/** What travels between hubs, planned and moved today. */
export function RoutesTab({ view }: { view: CampaignView }) {
  if (view.routes.length === 0) {
    return (
      <Text c="dimmed" size="sm" p="md">
        No routes are open. Trade treaties open them.
      </Text>
    );
  }
  return (
    <ul className={`${classes.book} ${classes.missions}`}>
      {view.routes.map((route) => (
        <li key={route.id}>
          <div>
            <b>{route.name}</b> <b data-tone={bandTone(route.status)}>{plain(route.status)}</b>{" "}
            <span className={classes.dim}>
              {plain(route.kind)}, {Math.round(route.capacity)} units a day
            </span>
          </div>
          <div>
            {nameOf(view, route.origin)} sends {amountWords(route.goods)}
            <span className={classes.dim}> (today {amountWords(route.moved)})</span>
          </div>
          <div>
            {nameOf(view, route.destination)} sends {amountWords(route.goods_back)}
            <span className={classes.dim}> (today {amountWords(route.moved_back)})</span>
          </div>
        </li>
      ))}
    </ul>
  );
}
