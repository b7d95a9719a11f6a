import { type EffectKind, fade, ripple, SHIP, sparks } from "./effect";

/** Cold vapor leaves the ship on all sides. */
export const cooldownBurst: EffectKind = {
  ms: 900,
  glyph: { at: "above", units: 22, spin: 0.6 },
  draw: (canvas, place, share) => {
    sparks(canvas, place, SHIP, { count: 36, reach: 48, color: "#a5f3fc", size: 3 }, share);
    ripple(canvas, SHIP, 14 + 38 * share, "#67e8f9", fade(share) * 0.6, 2.6);
  },
};

function mend(color: string): EffectKind {
  return {
    ms: 950,
    glyph: { at: "above", units: 24, rise: 8 },
    draw: (canvas, place, share) => {
      ripple(canvas, SHIP, 24 - 6 * share, color, fade(share), 1.6);
      for (let index = 0; index < 14; index += 1) {
        const x = (place.roll(index) - 0.5) * 34;
        const y = 14 - 40 * share * (0.5 + place.roll(index + 31));
        canvas.rect(x - 0.5, y - 2, 1, 4).fill({ color, alpha: fade(share) });
      }
    },
  };
}

export const repairTool = mend("#cbd5e1");
export const repairHull = mend("#4ade80");

/** Crates tumble away behind the ship. */
export const jettison: EffectKind = {
  ms: 1000,
  glyph: { at: "ship", units: 18, spin: 2.4, rise: -44 },
  draw: (canvas, place, share) => {
    for (let index = 0; index < 6; index += 1) {
      const angle = place.heading + Math.PI + (place.roll(index) - 0.5) * 1.4;
      const reach = 16 + 60 * share * (0.5 + place.roll(index + 11));
      const [x, y] = [Math.cos(angle) * reach, Math.sin(angle) * reach];
      canvas.rect(x - 2, y - 2, 4, 4).fill({ color: index % 2 === 0 ? "#fbbf24" : "#b45309", alpha: 1 - share });
    }
  },
};
