import { type Chart, type Point, routePoints } from "../state/chart";
import type { CampaignView } from "../state/view";
import classes from "./MapLines.module.css";

const GRID = 56;

/** Everything of the map that is only looked at: the grid, lanes, routes, the ways fleets mean to go. */
export function MapLines({ view, chart }: { view: CampaignView; chart: Chart }) {
  const place = (id: string): Point => chart.places.get(id) ?? { x: 0, y: 0 };
  return (
    <svg className={classes.lines} width={chart.width} height={chart.height} aria-hidden="true">
      <defs>
        <pattern id="camp-grid" width={GRID} height={GRID} patternUnits="userSpaceOnUse">
          <path d={`M ${GRID} 0 H 0 V ${GRID}`} className={classes.grid} />
        </pattern>
      </defs>
      <rect width={chart.width} height={chart.height} fill="url(#camp-grid)" />
      {view.lanes.map((lane) => {
        const [from, to] = [place(lane.a), place(lane.b)];
        return (
          <g key={`${lane.a}-${lane.b}`}>
            <line
              x1={from.x}
              y1={from.y}
              x2={to.x}
              y2={to.y}
              className={classes.lane}
              data-choke={lane.is_chokepoint}
            />
            <text x={(from.x + to.x) / 2} y={(from.y + to.y) / 2 - 5} className={classes.laneDays}>
              {lane.days} d
            </text>
          </g>
        );
      })}
      {view.routes.map((route, slot) => (
        <polyline
          key={route.id}
          points={routePoints(route, chart, slot)}
          className={classes.route}
          data-status={route.status}
        />
      ))}
      {view.fleets
        .filter((fleet) => fleet.path.length > 0)
        .map((fleet) => {
          const start = fleet.passage?.origin ?? fleet.node ?? "";
          const stops = [start, ...(fleet.passage === null ? [] : [fleet.passage.target]), ...fleet.path];
          const points = stops.map((id) => `${place(id).x},${place(id).y - 6}`).join(" ");
          return <polyline key={fleet.id} points={points} className={classes.course} />;
        })}
    </svg>
  );
}
