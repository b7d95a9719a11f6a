/** A faction is told apart by color and by shape, so that neither alone has to be seen. */
export type Shape = "disc" | "diamond" | "square" | "hexagon" | "triangle";

export interface Banner {
  /** A CSS variable of the page. */
  color: string;
  shape: Shape;
}

const SHAPES: readonly Shape[] = ["disc", "diamond", "square", "hexagon", "triangle"];
const COLORS = 5;
const NOBODY: Banner = { color: "var(--camp-nobody)", shape: "disc" };

/** Returns the banner of a faction: the player's first, then the others in their order. */
export function bannerOf(
  owner: string | null,
  factions: readonly { id: string; is_major: boolean; is_player: boolean }[],
): Banner {
  const ordered = [...factions].sort(
    (a, b) => Number(b.is_player) - Number(a.is_player) || Number(b.is_major) - Number(a.is_major),
  );
  const place = ordered.findIndex((faction) => faction.id === owner);
  if (place < 0) {
    return NOBODY;
  }
  return { color: `var(--camp-side-${place % COLORS})`, shape: SHAPES[place % SHAPES.length] ?? "disc" };
}

const OUTLINES: Readonly<Record<Exclude<Shape, "disc">, string>> = {
  diamond: "12,1 23,12 12,23 1,12",
  square: "3,3 21,3 21,21 3,21",
  hexagon: "12,1 22,6.5 22,17.5 12,23 2,17.5 2,6.5",
  triangle: "12,1.5 23,21.5 1,21.5",
};

/** Returns the corners of a shape in a box of 24 by 24; null for a disc. */
export function outlineOf(shape: Shape): string | null {
  return shape === "disc" ? null : OUTLINES[shape];
}
