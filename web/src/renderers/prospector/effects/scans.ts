import { along, beam, type EffectKind, fade, ripple, SHIP } from "./effect";

const SPECTRUM = ["iron", "nickel", "water_ice", "pge", "rare_isotopes", "volatiles"];

export const widePulse: EffectKind = {
  ms: 1100,
  draw: (canvas, place, share) => {
    for (const lag of [0, 0.16, 0.32]) {
      const local = (share - lag) / (1 - lag);
      if (local > 0) {
        ripple(canvas, SHIP, 18 + 100 * local, place.color("line.scan"), (1 - local) * 0.85, 2.2 - local);
      }
    }
  },
};

export const focusBeam: EffectKind = {
  ms: 900,
  glyph: { at: "target", units: 34, spin: 0.8 },
  draw: (canvas, place, share) => {
    beam(canvas, SHIP, place.target, "#22d3ee", fade(share) * 0.8, 1.2);
    ripple(canvas, place.target, 26 - 14 * share, "#22d3ee", fade(share), 1.2);
  },
};

/** A fan of lines in the colors of the goods, swept over the rock. */
export const deepSpectral: EffectKind = {
  ms: 1300,
  glyph: { at: "target", units: 32 },
  draw: (canvas, place, share) => {
    const aside = { x: -Math.sin(place.heading), y: Math.cos(place.heading) };
    SPECTRUM.forEach((good, index) => {
      const sway = Math.sin(share * Math.PI * 3 + index) * 10;
      const end = { x: place.target.x + aside.x * sway, y: place.target.y + aside.y * sway };
      beam(canvas, SHIP, end, place.color(`commodity.${good}`), fade(share) * 0.55, 0.8);
    });
    ripple(canvas, place.target, 12 + 12 * share, "#a78bfa", fade(share), 1.4);
  },
};

/** Rings that come home from all around. */
export const listenPing: EffectKind = {
  ms: 1200,
  glyph: { at: "above", units: 20 },
  draw: (canvas, _place, share) => {
    for (const lag of [0, 0.2, 0.4]) {
      const local = (share - lag) / (1 - lag);
      if (local > 0) {
        ripple(canvas, SHIP, 120 * (1 - local) + 16, "#a78bfa", local * (1 - local) * 2.2, 1.3);
      }
    }
  },
};

export const selectionRing: EffectKind = {
  ms: 450,
  glyph: { at: "target", units: 40, spin: 0.5, grow: -0.3 },
  draw: (canvas, place, share) => {
    const tip = along(SHIP, place.target, Math.min(1, share * 1.6));
    canvas
      .moveTo(place.target.x * 0.25, place.target.y * 0.25)
      .lineTo(tip.x, tip.y)
      .stroke({ width: 0.7, color: place.color("line.selection"), alpha: (1 - share) * 0.7 });
    ripple(canvas, place.target, 28 - 10 * share, place.color("line.selection"), 1 - share, 1.4);
  },
};
