export type Rgb = readonly [number, number, number];

/** Color stops by depth in meters: sand, shallows, shelf, the deep. */
const SEA: readonly (readonly [number, Rgb])[] = [
  [0.5, [121, 183, 178]],
  [25, [64, 142, 158]],
  [90, [37, 105, 136]],
  [200, [25, 78, 114]],
  [800, [14, 48, 82]],
  [2000, [8, 30, 58]],
];
const LAND: Rgb = [92, 98, 74];

/** Returns the tint of the sea, darker with depth; land is no sea. */
export function seaColor(depth_m: number): Rgb {
  const first = SEA[0];
  if (depth_m <= 0 || first === undefined) {
    return LAND;
  }
  let [from, low] = first;
  for (const [to, high] of SEA) {
    if (depth_m <= to) {
      return blend(low, high, to === from ? 0 : (depth_m - from) / (to - from));
    }
    [from, low] = [to, high];
  }
  return low;
}

/** Returns a heat color of a share, with its opacity: nothing where there is nothing. */
export function heatColor(share: number): readonly [number, number, number, number] {
  const stops: readonly Rgb[] = [
    [72, 61, 190],
    [190, 58, 150],
    [248, 130, 70],
    [255, 236, 150],
  ];
  const place = Math.min(0.999, Math.max(0, share)) * (stops.length - 1);
  const at = Math.floor(place);
  const [low, high] = [stops[at] ?? LAND, stops[at + 1] ?? LAND];
  const [red, green, blue] = blend(low, high, place - at);
  return [red, green, blue, share < 0.02 ? 0 : Math.round(60 + 150 * Math.min(1, share))];
}

function blend(low: Rgb, high: Rgb, share: number): Rgb {
  const mix = (place: 0 | 1 | 2) => Math.round(low[place] + (high[place] - low[place]) * Math.max(0, share));
  return [mix(0), mix(1), mix(2)];
}
