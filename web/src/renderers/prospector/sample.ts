import type { ProspectorState } from "./state";

/** A made-up moment in a rock field, for tests. */
export function sampleState(changes: Partial<ProspectorState> = {}): ProspectorState {
  return {
    schema_version: 1,
    headline: { net_profit: 120, survival: 1 },
    time: 240,
    time_remaining: 19_760,
    credits: 120,
    net_profit: 120,
    survival: 1,
    node_context: "field",
    ship: {
      fuel: 640,
      hull: 82,
      heat: 24,
      tool: 71,
      alert: 32,
      cargo: [4, 2, 9, 1, 0, 6],
      cargo_total: 22,
      repair_kits: 2,
      stabilizers: 1,
      decoys: 1,
      escape_ticks: 0,
    },
    node: { index: 4, type: "cluster", steps_to_station: 1 },
    neighbors: [
      { slot: 0, node: 0, type: "station", travel_time: 4, fuel_cost: 47, threat_est: 0.2 },
      { slot: 1, node: 9, type: "hazard", travel_time: 2, fuel_cost: 31, threat_est: 0.8 },
    ],
    asteroids: [
      {
        slot: 0,
        comp_est: [0.1, 0.1, 0.5, 0.1, 0.1, 0.1],
        stability_est: 0.6,
        depletion: 0,
        scan_conf: 0.5,
        selected: true,
        stabilize_ticks: 0,
      },
      {
        slot: 5,
        comp_est: [0.5, 0.1, 0.1, 0.1, 0.1, 0.1],
        stability_est: 0.4,
        depletion: 0.5,
        scan_conf: 0.1,
        selected: false,
        stabilize_ticks: 3,
      },
    ],
    market: {
      price: [45, 55, 85, 145, 210, 120],
      delta: [1, -2, 0, 3, -1, 0],
      inventory: [60, 60, 60, 60, 60, 60],
    },
    sale_quotes: [
      { commodity: 0, revenue: [43.6, 86, 168] },
      { commodity: 2, revenue: [182.1, 355.7, 684.8] },
    ],
    ...changes,
  };
}
