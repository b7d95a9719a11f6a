import { type EffectKind, fade, ripple, SHIP, sparks } from "./effect";

export const warningAlert: EffectKind = {
  ms: 900,
  glyph: { at: "above", units: 26, grow: 0.15 },
  draw: (canvas, place, share) => {
    const beat = Math.abs(Math.sin(share * Math.PI * 3));
    ripple(canvas, SHIP, 26 + 4 * beat, place.color("line.warning"), beat * (1 - share), 2.4);
  },
};

export const overheat: EffectKind = {
  ms: 1000,
  glyph: { at: "above", units: 28, rise: 6, grow: 0.2 },
  draw: (canvas, place, share) => {
    sparks(canvas, place, SHIP, { count: 26, reach: 36, color: "#fb923c", size: 2.6 }, share);
    canvas.circle(0, 0, 24).fill({ color: "#dc2626", alpha: 0.24 * fade(share) });
  },
};

function explosion(look: {
  ms: number;
  reach: number;
  count: number;
  at: "target" | "ship";
  units: number;
}): EffectKind {
  return {
    ms: look.ms,
    glyph: { at: look.at, units: look.units, grow: 0.8, spin: 0.3 },
    draw: (canvas, place, share) => {
      const center = look.at === "ship" ? SHIP : place.target;
      canvas
        .circle(center.x, center.y, look.reach * 0.55 * Math.sqrt(share))
        .fill({ color: "#fed7aa", alpha: 0.55 * (1 - share) });
      ripple(canvas, center, look.reach * (0.2 + share), "#fb923c", 1 - share, 3.4 * (1 - share) + 0.4);
      ripple(canvas, center, look.reach * (0.1 + share * 0.7), "#fde047", (1 - share) * 0.8, 1.6);
      sparks(canvas, place, center, { count: look.count, reach: look.reach * 1.2, color: "#f97316", size: 2.8 }, share);
      sparks(
        canvas,
        place,
        center,
        { count: look.count / 2, reach: look.reach, color: "#a8a29e", size: 3.4, offset: 70 },
        share,
      );
    },
  };
}

/** Named for their size; a fracture happens at a rock, the end of the ship where the ship is. */
export const explosionMedium = explosion({ ms: 950, reach: 34, count: 28, at: "target", units: 34 });
export const explosionLarge = explosion({ ms: 1600, reach: 78, count: 60, at: "ship", units: 70 });

/** The engine coughs sparks and goes out. */
export const engineFail: EffectKind = {
  ms: 1300,
  glyph: { at: "above", units: 28, rise: 4 },
  draw: (canvas, place, share) => {
    const back = { x: -Math.cos(place.heading) * 14, y: -Math.sin(place.heading) * 14 };
    sparks(canvas, place, back, { count: 18, reach: 26, color: "#fbbf24", size: 1.8 }, (share * 3) % 1);
    ripple(canvas, SHIP, 20, "#f87171", Math.abs(Math.sin(share * Math.PI * 4)) * (1 - share), 1.6);
  },
};

export const runEnd: EffectKind = {
  ms: 1600,
  glyph: { at: "above", units: 34, rise: 8 },
  draw: (canvas, place, share) => {
    const colors = ["#facc15", "#38bdf8", "#4ade80", "#c084fc"];
    for (let index = 0; index < 48; index += 1) {
      const angle = place.roll(index) * Math.PI * 2;
      const reach = 110 * (0.3 + 0.7 * place.roll(index + 17)) * (1 - (1 - share) ** 2);
      const drop = 30 * share * share;
      canvas
        .rect(Math.cos(angle) * reach, Math.sin(angle) * reach + drop, 2.2, 3.4)
        .fill({ color: colors[index % colors.length] ?? "#ffffff", alpha: 1 - share });
    }
  },
};
