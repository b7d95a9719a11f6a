import { VisuallyHidden } from "@mantine/core";
import { Anchor, Castle, type LucideIcon, Sprout, Waves, WavesArrowDown } from "lucide-react";
import { formatWholePercent } from "../../shared/format";
import { bannerOf } from "../state/banners";
import type { Point } from "../state/chart";
import type { CampaignView, MapNode, NodeKind } from "../state/view";
import { Emblem } from "./Emblem";
import classes from "./NodeMark.module.css";

const ICONS: Readonly<Record<NodeKind, LucideIcon>> = {
  HUB: Castle,
  SITE: Sprout,
  STRAIT: WavesArrowDown,
  SEA: Waves,
  WRECK: Anchor,
};
const NAMES: Readonly<Record<NodeKind, string>> = {
  HUB: "hub",
  SITE: "site",
  STRAIT: "strait",
  SEA: "open sea",
  WRECK: "wreck",
};
const SIZES: Readonly<Record<NodeKind, number>> = { HUB: 44, SITE: 32, STRAIT: 32, SEA: 26, WRECK: 28 };

interface Props {
  node: MapNode;
  view: CampaignView;
  place: Point;
  isSelected: boolean;
  onSelect: (id: string) => void;
}

/** A place of the map as a button: the shape and color of its owner, the sign of its kind, its name. */
export function NodeMark({ node, view, place, isSelected, onSelect }: Props) {
  const Icon = ICONS[node.kind];
  const size = SIZES[node.kind];
  const owner = view.factions.find((faction) => faction.id === node.owner)?.name;
  const siege = view.sieges.find((one) => one.hub === node.id);
  const facts = [NAMES[node.kind], owner === undefined ? "nobody's" : `of the ${owner}`];
  return (
    <button
      type="button"
      className={classes.node}
      style={{ left: place.x, top: place.y }}
      data-kind={node.kind}
      data-besieged={siege !== undefined}
      data-choke={node.is_chokepoint}
      aria-pressed={isSelected}
      title={facts.join(", ")}
      onClick={() => onSelect(node.id)}
    >
      <span className={classes.nodeMark} style={{ width: size, height: size }}>
        <Emblem banner={bannerOf(node.owner, view.factions)} size={size} isHollow={node.owner === null} />
        <Icon
          size={Math.round(size * 0.45)}
          className={classes.nodeIcon}
          data-hollow={node.owner === null}
          aria-hidden
        />
      </span>
      <span className={classes.nodeName}>{node.name}</span>
      <VisuallyHidden>, {facts.join(", ")} </VisuallyHidden>
      {siege !== undefined && <span className={classes.siege}>siege {formatWholePercent(siege.control)}</span>}
      {node.is_chokepoint && <span className={classes.choke}>chokepoint</span>}
    </button>
  );
}
