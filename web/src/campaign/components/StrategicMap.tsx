import { useMemo } from "react";
import { useElementWidth } from "../../shared/useElementWidth";
import { bannerOf } from "../state/banners";
import { fleetMarks, layOut } from "../state/chart";
import type { CampaignView } from "../state/view";
import { plain, shipWords } from "../state/words";
import { Emblem } from "./Emblem";
import { MapKey } from "./MapKey";
import { MapLines } from "./MapLines";
import { NodeMark } from "./NodeMark";
import classes from "./StrategicMap.module.css";

interface Props {
  view: CampaignView;
  selected: string | null;
  onSelect: (id: string) => void;
}

const MIN_HEIGHT = 380;
const MAX_HEIGHT = 560;
const ASPECT = 0.54;

/** The chart of the campaign: places, lanes, routes and fleets; every place and fleet can be chosen. */
export function StrategicMap({ view, selected, onSelect }: Props) {
  const [frame, width] = useElementWidth<HTMLDivElement>();
  const height = Math.round(Math.min(Math.max(width * ASPECT, MIN_HEIGHT), MAX_HEIGHT));
  const chart = useMemo(() => layOut(view.nodes, width, height), [view.nodes, width, height]);
  const marks = useMemo(() => fleetMarks(view, chart), [view, chart]);
  return (
    <section className={`case ${classes.map}`} aria-label="Map">
      <div className={classes.chart}>
        <div ref={frame} className={classes.sea} style={{ height }} data-testid="strategic-map">
          {width > 0 && (
            <>
              <MapLines view={view} chart={chart} />
              {view.nodes.map((node) => (
                <NodeMark
                  key={node.id}
                  node={node}
                  view={view}
                  place={chart.places.get(node.id) ?? { x: 0, y: 0 }}
                  isSelected={node.id === selected}
                  onSelect={onSelect}
                />
              ))}
              {marks.map(({ fleet, x, y, isAtSea }) => (
                <button
                  key={fleet.id}
                  type="button"
                  className={classes.fleet}
                  style={{ left: x, top: y }}
                  data-at-sea={isAtSea}
                  aria-pressed={fleet.id === selected}
                  aria-label={fleetWords(view, fleet.id)}
                  title={fleetWords(view, fleet.id)}
                  onClick={() => onSelect(fleet.id)}
                >
                  <Emblem banner={bannerOf(fleet.owner, view.factions)} size={30} isHollow>
                    <text x={12} y={16} textAnchor="middle" className={classes.fleetCount}>
                      {fleet.ships.length}
                    </text>
                  </Emblem>
                </button>
              ))}
            </>
          )}
        </div>
      </div>
      <MapKey view={view} />
    </section>
  );
}

function fleetWords(view: CampaignView, id: string): string {
  const fleet = view.fleets.find((one) => one.id === id);
  if (fleet === undefined) {
    return id;
  }
  const owner = view.factions.find((faction) => faction.id === fleet.owner)?.name ?? fleet.owner;
  const ships = shipWords(fleet.ships.map((ship) => ship.class_id));
  return `${fleet.name} of the ${owner}, ${fleet.ships.length} in all: ${ships}; stance ${plain(fleet.stance)}`;
}
