import { isGone, isOnPath, type SeedState, type SlotState } from "../state";
import { points, stageText } from "../words";
import type { Art } from "./art";
import type { Layout, Placed } from "./layout";
import { draw, round, write } from "./svg";

const LIFT = 58;
const POD = 22;
const REACH = 40;
const SOUND = 0.7;
const POOR = 0.4;

export interface SlotLook {
  slot: SlotState;
  /** Largest contribution among the slots, the measure of all bars. */
  mostPoints: number;
  isChosen: boolean;
  canPlant: boolean;
  /** Alpha of the moment before, where the change is to be seen. */
  alphaBefore: number | null;
  /** A name no other slot on the page has, in this picture or in another. */
  clip: string;
}

/** Draws a slot and what grows in it: a side branch of the host, filled as far as its alpha has got. */
export function drawSlot(placed: Placed, look: SlotLook, layout: Layout, art: Art): SVGElement {
  const { slot } = look;
  const { x, y } = placed;
  const { scale } = layout;
  return draw(
    "g",
    { "data-slot": slot.slot_id, "data-stage": slot.stage, class: "slot" },
    frame(placed, look, scale),
    ...(slot.seed === null ? [emptyMark(x, y, scale, look.canPlant)] : grown(x, y, slot, slot.seed, look, scale, art)),
    ...(layout.hasWords ? words(placed, look, scale, art) : []),
  );
}

function frame({ x, y, width }: Placed, { isChosen }: SlotLook, scale: number): SVGElement {
  return draw("rect", {
    x: x - width / 2 + 2,
    y: y - 89 * scale,
    width: width - 4,
    height: 149 * scale,
    rx: 10,
    class: isChosen ? "frame chosen" : "frame",
  });
}

function emptyMark(x: number, y: number, scale: number, canPlant: boolean): SVGElement {
  const arm = 4 * scale;
  return draw(
    "g",
    {},
    draw("circle", { cx: x, cy: y, r: 10 * scale, class: canPlant ? "empty open" : "empty" }),
    canPlant ? draw("path", { d: `M${x - arm} ${y}h${2 * arm}M${x} ${y - arm}v${2 * arm}`, class: "plus" }) : null,
  );
}

function grown(
  x: number,
  y: number,
  slot: SlotState,
  seed: SeedState,
  { alphaBefore, clip }: SlotLook,
  scale: number,
  art: Art,
): (SVGElement | null)[] {
  const color = art.stageColor(slot.stage);
  const top = y - LIFT * scale;
  const pod = POD * scale;
  const reach = REACH * scale;
  const branch = [-1, 1]
    .map((side) => {
      const [foot, waist, hip] = [x + side * reach, x + side * reach * 0.4, x + side * reach * 0.98];
      return `M${foot} ${y}C${waist} ${y} ${hip} ${top} ${x + side * pod} ${top}`;
    })
    .join("");
  const isGrey = isGone(slot.stage);
  return [
    draw("path", {
      d: branch,
      class: isOnPath(slot.stage) ? "branch" : "branch beside",
      stroke: color,
      "stroke-width": (1.6 + 4.4 * (isOnPath(slot.stage) ? seed.alpha : 0)) * Math.min(1, scale),
    }),
    draw("circle", { cx: x, cy: y, r: 4.5 * scale, fill: color, class: "joint" }),
    healthRing(x, top, pod, seed, art),
    draw("circle", { cx: x, cy: top, r: pod, class: isGrey ? "pod gone" : "pod", stroke: color }),
    isGrey ? null : fill(x, top, pod - 1.5, { share: seed.alpha, before: alphaBefore, color, clip }),
    isGrey ? null : targetTick(x, top, pod, seed),
    isGrey
      ? art.picture(`icon.stage.${slot.stage.toLowerCase()}`, x, top, pod * 1.2)
      : art.picture(`icon.blueprint.${seed.blueprint}`, x, top, pod * 1.25),
    isGrey ? null : badge(x + pod * 0.78, top + pod * 0.78, pod * 0.44, slot, art),
    gradientMark(x, top, pod, seed, art),
  ];
}

/** The level of a seed's alpha, as water in a glass. */
function fill(
  x: number,
  y: number,
  radius: number,
  { share, before, color, clip }: { share: number; before: number | null; color: string; clip: string },
): SVGElement {
  const level = draw("rect", {
    x: x - radius,
    y: y - radius,
    width: 2 * radius,
    height: 2 * radius,
    fill: color,
    class: "level",
    style: `transform: translateY(${round(2 * radius * (1 - share))}px)`,
  });
  if (before !== null && before !== share) {
    const from = `translateY(${round(2 * radius * (1 - before))}px)`;
    level.animate([{ transform: from }, { transform: `translateY(${round(2 * radius * (1 - share))}px)` }], {
      duration: 320,
      easing: "ease-out",
    });
  }
  return draw(
    "g",
    {},
    draw("clipPath", { id: clip }, draw("circle", { cx: x, cy: y, r: radius })),
    draw("g", { "clip-path": `url(#${clip})` }, level),
  );
}

/** Where the alpha is bound for, while it moves. */
function targetTick(x: number, y: number, radius: number, seed: SeedState): SVGElement | null {
  if (seed.alpha_mode === "HOLD") {
    return null;
  }
  const level = y + radius - 2 * radius * seed.alpha_target;
  const half = Math.sqrt(Math.max(0, radius ** 2 - (level - y) ** 2));
  return draw("path", { d: `M${x + half - 5} ${level}h12`, class: "tick" });
}

function badge(x: number, y: number, radius: number, { stage }: SlotState, art: Art): SVGElement {
  return draw(
    "g",
    {},
    draw("circle", { cx: x, cy: y, r: radius, class: "badge" }),
    art.picture(`icon.stage.${stage.toLowerCase()}`, x, y, radius * 1.7),
  );
}

/** A ring as long as the share of sound gradients. */
function healthRing(
  x: number,
  y: number,
  pod: number,
  { gradient_health: health }: SeedState,
  art: Art,
): SVGElement | null {
  if (health === null) {
    return null;
  }
  const radius = pod + 5;
  const length = 2 * Math.PI * radius;
  return draw("circle", {
    cx: x,
    cy: y,
    r: radius,
    class: "health",
    stroke: art.color(health >= SOUND ? "health.good" : health >= POOR ? "health.fair" : "health.bad"),
    "stroke-dasharray": `${round(length * health)} ${round(length)}`,
    transform: `rotate(-90 ${round(x)} ${round(y)})`,
  });
}

function gradientMark(x: number, y: number, pod: number, seed: SeedState, art: Art): SVGElement | null {
  const mark = seed.has_exploding ? "▲" : seed.has_vanishing ? "▼" : null;
  return mark === null
    ? null
    : write(mark, x - pod - 9, y - pod + 6, {
        class: "mark",
        "text-anchor": "middle",
        fill: art.color(seed.has_exploding ? "health.bad" : "health.fair"),
      });
}

function words(placed: Placed, { slot, mostPoints }: SlotLook, scale: number, art: Art): SVGElement[] {
  const { x, y } = placed;
  const middle = { "text-anchor": "middle" };
  const small = Math.max(9.5, 11 * Math.min(1, scale));
  const line = (place: number) => y + 14 * scale + small * (place + 0.85) * 1.14;
  const stage = write(stageText(slot.stage, slot.seed), x, line(1), { ...middle, class: "strong" });
  return [
    write(slot.slot_id, x, line(0), { ...middle, class: "dim" }),
    stage,
    ...(slot.seed === null ? [] : worth(x, line(2) - small * 0.35, placed.width, slot.seed, mostPoints, art)),
  ];
}

/** A bar to the right for what helps, to the left for what hurts, and its number. */
function worth(
  x: number,
  y: number,
  width: number,
  { contribution }: SeedState,
  mostPoints: number,
  art: Art,
): SVGElement[] {
  if (contribution === null) {
    return [];
  }
  const half = Math.min(30, width * 0.3);
  const middle = x - half * 0.7;
  const length = (Math.abs(contribution) / mostPoints) * half;
  return [
    draw("path", { d: `M${round(middle)} ${round(y - 5)}v10`, class: "zero" }),
    draw("rect", {
      x: contribution < 0 ? middle - length : middle,
      y: y - 3.5,
      width: Math.max(0.5, length),
      height: 7,
      rx: 2,
      fill: art.color(contribution < 0 ? "gain.negative" : "gain.positive"),
      "data-points": contribution,
    }),
    write(points(contribution), middle + half + 4, y + 3.6, { class: "strong" }),
  ];
}
