import type { CampaignView, Fleet, MapNode, Route } from "./view";

export interface Point {
  x: number;
  y: number;
}

export interface Chart {
  width: number;
  height: number;
  /** Where every node is, in pixels from the top left. */
  places: ReadonlyMap<string, Point>;
}

/** Room for the names under the outermost nodes, in pixels. */
const MARGIN_X = 84;
const MARGIN_TOP = 44;
const MARGIN_BOTTOM = 66;
/** Fleets at one node stand side by side above it. */
const FLEET_STEP = 34;
const FLEET_RISE = 40;

/** Spreads the nodes over a picture, north up; both axes are stretched to use the room there is. */
export function layOut(nodes: readonly MapNode[], width: number, height: number): Chart {
  const [west, east] = extent(nodes.map((node) => node.x_km));
  const [south, north] = extent(nodes.map((node) => node.y_km));
  const places = new Map(
    nodes.map((node) => [
      node.id,
      {
        x: MARGIN_X + ((node.x_km - west) / (east - west || 1)) * (width - 2 * MARGIN_X),
        y: MARGIN_TOP + ((north - node.y_km) / (north - south || 1)) * (height - MARGIN_TOP - MARGIN_BOTTOM),
      },
    ]),
  );
  return { width, height, places };
}

function extent(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

export interface FleetMark extends Point {
  fleet: Fleet;
  isAtSea: boolean;
}

/** Returns where fleets are drawn: beside each other above their node, or on their way along a lane. */
export function fleetMarks(view: CampaignView, chart: Chart): FleetMark[] {
  const crowds = new Map<string, Fleet[]>();
  const marks: FleetMark[] = [];
  for (const fleet of view.fleets) {
    if (fleet.passage === null && fleet.node !== null) {
      crowds.set(fleet.node, [...(crowds.get(fleet.node) ?? []), fleet]);
    } else if (fleet.passage !== null) {
      marks.push({ fleet, isAtSea: true, ...underWay(view, chart, fleet.passage) });
    }
  }
  for (const [node, fleets] of crowds) {
    const place = chart.places.get(node);
    if (place !== undefined) {
      const first = place.x - ((fleets.length - 1) * FLEET_STEP) / 2;
      fleets.forEach((fleet, slot) => {
        marks.push({ fleet, isAtSea: false, x: first + slot * FLEET_STEP, y: place.y - FLEET_RISE });
      });
    }
  }
  return marks;
}

function underWay(view: CampaignView, chart: Chart, passage: NonNullable<Fleet["passage"]>): Point {
  const from = chart.places.get(passage.origin) ?? { x: 0, y: 0 };
  const to = chart.places.get(passage.target) ?? from;
  const lane = view.lanes.find(
    ({ a, b }) => (a === passage.origin && b === passage.target) || (b === passage.origin && a === passage.target),
  );
  const share = Math.min(Math.max(1 - passage.days_left / (lane?.days || 1), 0.15), 0.85);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** Two routes on one lane are drawn beside each other. */
const ROUTE_STEP = 5;

/** Returns the line of a route as SVG points; `slot` moves it aside. */
export function routePoints(route: Route, chart: Chart, slot: number): string {
  const places = route.path.map((node) => chart.places.get(node)).filter((place) => place !== undefined);
  const shift = (slot + 1) * ROUTE_STEP;
  return places.map(({ x, y }) => `${Math.round(x)},${Math.round(y + shift)}`).join(" ");
}
