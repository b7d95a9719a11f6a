import { type EffectKind, fade, ripple, SHIP, sparks } from "./effect";

const STREAKS = 70;

/** Stars drawn out into lines that rush past along the flight. */
export const warp: EffectKind = {
  ms: 900,
  glyph: undefined,
  draw: (canvas, place, share) => {
    const alpha = fade(share);
    for (let index = 0; index < STREAKS; index += 1) {
      const angle = place.roll(index) * Math.PI * 2;
      const start = 20 + 170 * place.roll(index + 301) + 60 * share;
      const length = (12 + 60 * place.roll(index + 601)) * Math.sin(Math.PI * Math.min(1, share * 1.2));
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      canvas
        .moveTo(cos * start, sin * start)
        .lineTo(cos * (start + length), sin * (start + length))
        .stroke({
          width: 0.5 + place.roll(index + 901),
          color: index % 3 === 0 ? 0x93c5fd : 0xe0ecff,
          alpha: alpha * 0.75,
        });
    }
    ripple(canvas, SHIP, 14 + 120 * share, "#93c5fd", alpha * 0.35, 3);
  },
};

/** A hard burn: flame behind the ship and a shock ring. */
export const emergencyBurn: EffectKind = {
  ms: 800,
  draw: (canvas, place, share) => {
    const back = { x: -Math.cos(place.heading) * 18, y: -Math.sin(place.heading) * 18 };
    sparks(canvas, place, back, { count: 34, reach: 60, color: place.color("flame.edge"), size: 2.6 }, share);
    sparks(canvas, place, back, { count: 14, reach: 34, color: place.color("flame.core"), size: 2, offset: 40 }, share);
    ripple(canvas, SHIP, 16 + 70 * share, place.color("flame.edge"), fade(share) * 0.6, 2.4);
  },
};
