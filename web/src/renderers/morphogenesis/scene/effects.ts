import { entriesOf, isNone, type ManifestSet } from "../../manifests";
import type { Frame } from "../../renderer";
import type { Art } from "./art";
import type { Placed } from "./layout";
import { draw } from "./svg";

const SIZE = 76;
const LIFT = 58;
/** Pictures that stand still lie beside what they are about. */
const STILL = { size: 30, left: 33, up: 22 };
const LAST_MS = 900;

export interface Mark {
  picture: string;
  /** The slot it happened at; null for the host as a whole. */
  slotId: string | null;
}

/** Returns what a step shows, each picture once and where it happened. */
export function marksOf(frame: Frame | undefined, manifests: ManifestSet): Mark[] {
  const names = new Set(frame?.events ?? []);
  // Becoming permanent, or being planted, is a change of stage itself and needs no arrow beside its own picture.
  if (names.has("SEED_FOSSILIZED") || names.has("SEED_PRUNED") || names.has("SEED_GERMINATED")) {
    names.delete("SEED_STAGE_CHANGED");
  }
  return [...names].flatMap((name) =>
    entriesOf(manifests.effects, [], [name])
      .filter(({ vfx }) => !isNone(vfx))
      .map(({ vfx }) => ({ picture: vfx, slotId: slotIn(frame?.event_data?.[name]) })),
  );
}

function slotIn(data: unknown): string | null {
  const told = (data as { slot_id?: unknown } | undefined)?.slot_id;
  return typeof told === "string" ? told : null;
}

/** Draws the marks of a step; they rise and fade, or stand still where nothing may move. */
export function drawMarks(
  marks: readonly Mark[],
  slots: readonly Placed[],
  middle: { x: number; y: number },
  scale: number,
  isStill: boolean,
  art: Art,
): SVGElement {
  return draw(
    "g",
    { class: "marks" },
    ...marks.map(({ picture, slotId }) => {
      const at = slots.find(({ station }) => station.slot_id === slotId);
      const size = (isStill ? STILL.size : SIZE) * scale;
      const [left, up] = isStill ? [STILL.left * scale, STILL.up * scale] : [0, 0];
      const [x, y] = at === undefined ? [middle.x, middle.y] : [at.x - left, at.y - LIFT * scale - up];
      const drawn = art.picture(picture, x, y, size);
      if (drawn === null) {
        return null;
      }
      const mark = draw("g", { class: "mark", "data-mark": picture }, drawn);
      if (!isStill) {
        const center = `${x}px ${y}px`;
        mark.style.transformOrigin = center;
        mark.animate(
          [
            { opacity: 0.95, transform: "scale(0.55)" },
            { opacity: 0.9, transform: "scale(1)", offset: 0.4 },
            { opacity: 0, transform: "scale(1.25)" },
          ],
          { duration: LAST_MS, easing: "ease-out", fill: "forwards" },
        );
      }
      return mark;
    }),
  );
}
