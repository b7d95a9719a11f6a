import { engineFail, explosionLarge, explosionMedium, overheat, runEnd, warningAlert } from "./alarms";
import type { EffectKind } from "./effect";
import { emergencyBurn, warp } from "./flight";
import { mineAggressive, mineConservative, mineStandard, refineSparkle, stabilizeField } from "./mining";
import { deepSpectral, focusBeam, listenPing, selectionRing, widePulse } from "./scans";
import { confirm, dock, overhaul, sell } from "./station";
import { cooldownBurst, jettison, repairHull, repairTool } from "./upkeep";

/** How every effect of the manifest moves, by its key. */
export const EFFECT_KINDS: Readonly<Record<string, EffectKind>> = {
  "vfx.travel.warp": warp,
  "vfx.emergencyBurn": emergencyBurn,
  "vfx.scan.widePulse": widePulse,
  "vfx.scan.focusBeam": focusBeam,
  "vfx.scan.deepSpectral": deepSpectral,
  "vfx.scan.listenPing": listenPing,
  "vfx.selection.ring": selectionRing,
  "vfx.mine.conservative": mineConservative,
  "vfx.mine.standard": mineStandard,
  "vfx.mine.aggressive": mineAggressive,
  "vfx.stabilize.field": stabilizeField,
  "vfx.refine.sparkle": refineSparkle,
  "vfx.cooldown.burst": cooldownBurst,
  "vfx.repair.tool": repairTool,
  "vfx.repair.hull": repairHull,
  "vfx.jettison": jettison,
  "vfx.dock": dock,
  "vfx.sell": sell,
  "vfx.station.confirm": confirm,
  "vfx.station.overhaul": overhaul,
  "vfx.ui.run_end": runEnd,
  "vfx.warning.alert": warningAlert,
  "vfx.event.overheat": overheat,
  "vfx.explosion.medium": explosionMedium,
  "vfx.explosion.large": explosionLarge,
  "vfx.event.engine_fail": engineFail,
};
