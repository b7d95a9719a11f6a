import { type EffectKind, fade, ripple, SHIP } from "./effect";

export const dock: EffectKind = {
  ms: 900,
  glyph: { at: "above", units: 24, rise: -6 },
  draw: (canvas, _place, share) => {
    for (const side of [-1, 1]) {
      const x = side * (40 - 22 * Math.min(1, share * 1.5));
      canvas
        .moveTo(x, -12)
        .lineTo(x, 12)
        .stroke({ width: 2, color: "#4ade80", alpha: fade(share) });
      canvas
        .moveTo(x, 0)
        .lineTo(x + side * 12, 0)
        .stroke({ width: 1.2, color: "#4ade80", alpha: fade(share) * 0.7 });
    }
    ripple(canvas, SHIP, 66 - 40 * share, "#4ade80", fade(share) * 0.6, 1.4);
  },
};

/** Coins fly from the ship into the station. */
export const sell: EffectKind = {
  ms: 950,
  glyph: { at: "above", units: 24, rise: 18, spin: 0.2 },
  draw: (canvas, place, share) => {
    for (let index = 0; index < 10; index += 1) {
      const local = Math.min(1, Math.max(0, share * 1.6 - index * 0.06));
      const angle = place.roll(index) * Math.PI * 2;
      const reach = 58 * local;
      canvas
        .ellipse(
          Math.cos(angle) * reach,
          Math.sin(angle) * reach,
          2.4 * Math.abs(Math.cos(local * 9 + index)) + 0.4,
          2.4,
        )
        .fill({ color: "#fde047", alpha: local > 0 && local < 1 ? 1 - local * 0.6 : 0 });
    }
  },
};

export const confirm: EffectKind = {
  ms: 800,
  glyph: { at: "above", units: 24, rise: 6 },
  draw: (canvas, _place, share) => ripple(canvas, SHIP, 20 + 24 * share, "#4ade80", 1 - share, 2),
};

export const overhaul: EffectKind = {
  ms: 1400,
  glyph: { at: "above", units: 30, spin: 1.4 },
  draw: (canvas, _place, share) => {
    const sweep = share * Math.PI * 4;
    canvas
      .moveTo(Math.cos(sweep) * 30, Math.sin(sweep) * 30)
      .arc(0, 0, 30, sweep, sweep + 1.6)
      .stroke({ width: 2.4, color: "#e2e8f0", alpha: fade(share) });
    canvas
      .moveTo(-Math.cos(sweep) * 30, -Math.sin(sweep) * 30)
      .arc(0, 0, 30, sweep + Math.PI, sweep + Math.PI + 1.6)
      .stroke({ width: 2.4, color: "#38bdf8", alpha: fade(share) });
  },
};
