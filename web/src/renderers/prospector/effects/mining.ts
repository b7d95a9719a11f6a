import { beam, type EffectKind, fade, ripple, SHIP, sparks } from "./effect";

function drill(look: { width: number; count: number; reach: number; color: string; units: number }): EffectKind {
  return {
    ms: 620,
    glyph: { at: "target", units: look.units, spin: 1.2 },
    draw: (canvas, place, share) => {
      const shake = Math.sin(share * 60) * 0.7;
      const end = { x: place.target.x + shake, y: place.target.y - shake };
      beam(canvas, SHIP, end, look.color, fade(share), look.width);
      sparks(
        canvas,
        place,
        place.target,
        { count: look.count, reach: look.reach, color: look.color, size: 1.7 },
        share,
      );
      sparks(
        canvas,
        place,
        place.target,
        { count: Math.ceil(look.count / 3), reach: look.reach * 0.6, color: "#fffbe6", size: 1.2, offset: 60 },
        share,
      );
    },
  };
}

export const mineConservative = drill({ width: 1.2, count: 12, reach: 20, color: "#fbbf24", units: 22 });
export const mineStandard = drill({ width: 1.9, count: 20, reach: 27, color: "#fb923c", units: 28 });
export const mineAggressive = drill({ width: 2.9, count: 32, reach: 36, color: "#f87171", units: 36 });

export const stabilizeField: EffectKind = {
  ms: 900,
  glyph: { at: "target", units: 46, spin: -0.4, grow: -0.25 },
  draw: (canvas, place, share) => {
    beam(canvas, SHIP, place.target, place.color("line.shield"), fade(share) * 0.8, 1.2);
    ripple(canvas, place.target, 34 - 16 * share, place.color("line.shield"), fade(share), 1.6);
  },
};

export const refineSparkle: EffectKind = {
  ms: 900,
  glyph: { at: "above", units: 26, rise: 10, spin: 0.4 },
  draw: (canvas, place, share) => {
    for (let index = 0; index < 18; index += 1) {
      const angle = place.roll(index) * Math.PI * 2 + share * 5;
      const radius = 30 * (1 - share) + 6;
      canvas
        .circle(Math.cos(angle) * radius, Math.sin(angle) * radius, 1.3 * (1 - share) + 0.4)
        .fill({ color: index % 2 === 0 ? "#e9d5ff" : place.color("commodity.rare_isotopes"), alpha: fade(share) });
    }
  },
};
