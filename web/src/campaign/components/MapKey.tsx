import { bannerOf } from "../state/banners";
import type { CampaignView, RouteStatus } from "../state/view";
import { plain } from "../state/words";
import { Emblem } from "./Emblem";
import classes from "./MapKey.module.css";
import lines from "./MapLines.module.css";

const STATUSES: readonly RouteStatus[] = ["OPEN", "CONTESTED", "BLOCKADED", "CLOSED"];

/** What the shapes and lines of the map mean. */
export function MapKey({ view }: { view: CampaignView }) {
  return (
    <ul className={classes.key} aria-label="Key of the map">
      {view.factions.map((faction) => (
        <li key={faction.id}>
          <Emblem banner={bannerOf(faction.id, view.factions)} size={14} />
          {faction.name}
          {faction.is_player ? " (you)" : ""}
        </li>
      ))}
      <li>
        <Emblem banner={bannerOf(null, view.factions)} size={14} isHollow />
        nobody's
      </li>
      {STATUSES.map((status) => (
        <li key={status}>
          <svg width={26} height={8} aria-hidden="true">
            <line x1={0} y1={4} x2={26} y2={4} className={lines.route} data-status={status} />
          </svg>
          route {plain(status)}
        </li>
      ))}
    </ul>
  );
}
