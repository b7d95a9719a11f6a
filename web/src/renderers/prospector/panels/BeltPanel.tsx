import { Switch, Tooltip } from "@mantine/core";
import { useMemo, useState } from "react";
import { formatCount, formatWholePercent } from "../../../shared/format";
import { knownWays, layOut, REACH, type Way } from "../beltLayout";
import { whole } from "../format";
import { type Point, threatLevel } from "../layout";
import type { Place } from "../memory";
import { COMMODITY_TITLES, type NeighborState, type NodeType, type ProspectorState } from "../state";
import { placeName } from "../words";
import classes from "./Panels.module.css";

const SIZE = 10;
/** Around the outermost places, for their marks. */
const MARGIN = 18;
const HALF_WIDTH = REACH + MARGIN;
const HALF_HEIGHT_LEAST = 90;

interface Props {
  state: ProspectorState;
  /** What is known at the moment on screen. */
  places: ReadonlyMap<number, Place>;
  /** What is known of the whole replay, also what is only seen later; null while somebody plays. */
  laterPlaces: ReadonlyMap<number, Place> | null;
  isWhole: boolean;
  colors: Readonly<Record<string, string>>;
}

/** A chart of the places the pilot has been to and those next door, and of what was seen there. */
export function BeltPanel({ state, places, laterPlaces, isWhole, colors }: Props) {
  const [showsLater, setShowsLater] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = showsLater && laterPlaces !== null ? laterPlaces : places;
  const spots = useMemo(() => layOut(shown), [shown]);
  const halfHeight = Math.max(HALF_HEIGHT_LEAST, ...[...spots.values()].map(({ y }) => Math.abs(y) + MARGIN));
  const ways = useMemo(() => knownWays(shown), [shown]);
  const here = state.node.index;
  const place = shown.get(chosen ?? here) ?? shown.get(here);
  const visited = [...shown.values()].filter(({ seenAt }) => seenAt !== null).length;
  return (
    <section className={`case ${classes.panel}`} aria-label="Belt" data-testid="belt">
      <header className={classes.head}>
        <h2 className="overline">Belt</h2>
        <span className={classes.where} data-testid="belt-known">
          {visited} visited, {shown.size - visited} seen from next door
        </span>
      </header>
      {!isWhole && <p className={classes.memory}>Reading what happened before …</p>}
      {laterPlaces !== null && (
        <Tooltip
          label="Also places and rocks that are only seen later in this replay"
          openDelay={300}
          multiline
          maw={240}
        >
          <div className={classes.switch}>
            <Switch
              size="xs"
              label="Whole replay"
              checked={showsLater}
              onChange={(event) => setShowsLater(event.currentTarget.checked)}
            />
          </div>
        </Tooltip>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a picture whose parts can be chosen */}
      <svg
        className={classes.chart}
        viewBox={`${-HALF_WIDTH} ${-halfHeight} ${2 * HALF_WIDTH} ${2 * halfHeight}`}
        style={{ background: `linear-gradient(${colors["sky.top"]}, ${colors["sky.bottom"]})` }}
        role="group"
        aria-label="Chart of the belt"
      >
        {ways.map((way) => (
          <Leg key={`${way.from}-${way.to}`} way={way} places={shown} spots={spots} here={here} colors={colors} />
        ))}
        {[...shown.values()].map((one) => (
          <Spot
            key={one.node}
            place={one}
            at={spots.get(one.node) ?? { x: 0, y: 0 }}
            isHere={one.node === here}
            isChosen={one === place}
            colors={colors}
            onChoose={() => setChosen(one.node === here ? null : one.node)}
          />
        ))}
      </svg>
      {place !== undefined && <PlaceFacts place={place} state={state} />}
    </section>
  );
}

interface LegProps {
  way: Way;
  places: ReadonlyMap<number, Place>;
  spots: ReadonlyMap<number, Point>;
  here: number;
  colors: Readonly<Record<string, string>>;
}

/** A way, in the color of its believed threat; those out of the present place are bright and tell their ticks. */
function Leg({ way: { from, to }, places, spots, here, colors }: LegProps) {
  const [start, stop] = [spots.get(from), spots.get(to)];
  const origin = to === here ? to : from;
  const exit = exitBetween(places, origin, origin === from ? to : from) ?? exitBetween(places, to, from);
  if (start === undefined || stop === undefined || exit === undefined) {
    return null;
  }
  const isOut = from === here || to === here;
  return (
    <g>
      <line
        x1={start.x}
        y1={start.y}
        x2={stop.x}
        y2={stop.y}
        stroke={colors[`threat.${threatLevel(exit.threat_est)}`]}
        strokeWidth={isOut ? 2 : 1.2}
        opacity={isOut ? 0.95 : 0.4}
      />
      {isOut && (
        <text
          className={classes.ticks}
          x={(start.x + stop.x) / 2}
          y={(start.y + stop.y) / 2}
          stroke={colors["sky.top"]}
          fill={colors["ink.text"]}
        >
          {exit.travel_time}
        </text>
      )}
    </g>
  );
}

function exitBetween(places: ReadonlyMap<number, Place>, from: number, to: number): NeighborState | undefined {
  return places.get(from)?.exits.find(({ node }) => node === to);
}

interface SpotProps {
  place: Place;
  at: Point;
  isHere: boolean;
  isChosen: boolean;
  colors: Readonly<Record<string, string>>;
  onChoose: () => void;
}

/** A place: its kind by shape and color, hollow where the pilot has not been. */
function Spot({ place: { node, type, seenAt }, at, isHere, isChosen, colors, onChoose }: SpotProps) {
  const color = colors[`place.${type}`];
  const isVisited = seenAt !== null;
  const words = `${placeName(type, node)}${isHere ? ", the ship is here" : isVisited ? "" : ", not visited"}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons of HTML cannot stand in an SVG
    <g
      className={classes.spot}
      transform={`translate(${at.x} ${at.y})`}
      role="button"
      tabIndex={0}
      aria-label={words}
      aria-pressed={isChosen}
      data-node={node}
      data-here={isHere}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          event.stopPropagation();
          onChoose();
        }
      }}
    >
      <title>{words}</title>
      <circle className={classes.hit} r={15} />
      {isHere && <circle r={SIZE + 5} fill="none" stroke={colors["ink.text"]} strokeWidth={1.6} />}
      {isChosen && !isHere && (
        <circle r={SIZE + 5} fill="none" stroke={colors["line.selection"]} strokeWidth={1.4} strokeDasharray="3 3" />
      )}
      <Shape type={type} fill={isVisited ? color : colors["sky.top"]} stroke={color} />
      {type !== "station" && (
        <text className={classes.number} fill={isVisited ? colors["sky.top"] : color} y={type === "hazard" ? 2.5 : 0.5}>
          {node}
        </text>
      )}
    </g>
  );
}

function Shape({ type, ...paint }: { type: NodeType; fill: string | undefined; stroke: string | undefined }) {
  switch (type) {
    case "station":
      return <rect x={-SIZE} y={-SIZE} width={2 * SIZE} height={2 * SIZE} rx={4} strokeWidth={1.6} {...paint} />;
    case "hazard":
      return <path d={`M0 ${-SIZE - 3}L${SIZE + 2} ${SIZE - 1}H${-SIZE - 2}Z`} strokeWidth={1.6} {...paint} />;
    default:
      return <circle r={SIZE} strokeWidth={1.6} {...paint} />;
  }
}

/** What is known of one place: its rocks, when that was, and the ways out. */
function PlaceFacts({ place, state }: { place: Place; state: ProspectorState }) {
  const isHere = place.node === state.node.index;
  return (
    <div className={classes.facts} data-testid="place-facts">
      <p>
        <b>{placeName(place.type, place.node)}</b>{" "}
        <span className={classes.dim}>{seenWords(place, state, isHere)}</span>
      </p>
      {rockWords(place) !== "" && <p>{rockWords(place)}</p>}
      {place.exits.length > 0 && (
        <table className={classes.exits}>
          <thead>
            <tr>
              <th scope="col">Way to</th>
              <th scope="col" title="Ticks the leg takes">
                ticks
              </th>
              <th scope="col" title="Fuel with an empty hold; a full one burns half as much again">
                fuel
              </th>
              <th scope="col" title="How dangerous the way was believed to be when the ship was there">
                threat
              </th>
            </tr>
          </thead>
          <tbody>
            {place.exits.map((exit) => (
              <tr key={exit.slot}>
                <td>{placeName(exit.type, exit.node)}</td>
                <td>{exit.travel_time}</td>
                <td>{whole(exit.fuel_cost)}</td>
                <td data-threat={threatLevel(exit.threat_est)}>{formatWholePercent(exit.threat_est)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function seenWords({ seenAt }: Place, state: ProspectorState, isHere: boolean): string {
  if (isHere) {
    return "the ship is here";
  }
  if (seenAt === null) {
    return "seen from next door, not visited";
  }
  return seenAt > state.time
    ? `seen later, at tick ${whole(seenAt)}`
    : `seen ${formatCount(state.time - seenAt, "tick")} ago`;
}

function rockWords({ type, rocks }: Place): string {
  if (rocks === null || type === "station") {
    return "";
  }
  const count = `${rocks.left} of ${formatCount(rocks.total, "rock")} to dig`;
  if (rocks.best === null) {
    return `${count}, none scanned`;
  }
  const { commodity, known } = rocks.best;
  return `${count}; the best known seems mostly ${COMMODITY_TITLES[commodity]?.toLowerCase()} (known ${formatWholePercent(known)})`;
}
