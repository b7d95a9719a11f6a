import type { CitizenState, TownletState } from "./state";

/** A made-up town of one home, a cafe and a park, for tests. */
export function sampleCitizen(changes: Partial<CitizenState> = {}): CitizenState {
  return {
    seat: 0,
    id: "citizen_000",
    name: "Ada",
    at: [3, 3],
    home: 0,
    needs: [0.8, 0.7, 0.9],
    wallet: 2.5,
    items: { food_raw: 1 },
    option: "Idle",
    is_settled: true,
    commit: 0,
    goal: null,
    did: "Wait",
    succeeded: true,
    is_busy: false,
    holds: null,
    waits: null,
    job: 0,
    shift: "pre_shift",
    attendance: 0,
    absences: 0,
    arrears: 0,
    profile: "balanced",
    traits: [0.5, 0, 0],
    ties: [],
    meets: null,
    fitness: 0.4,
    is_leaving: false,
    is_possessed: false,
    return: 0,
    reward: { survival: 0.002, needs_penalty: -0.001, total: 0.001 },
    ...changes,
  };
}

export function sampleState(changes: Partial<TownletState> = {}): TownletState {
  return {
    schema_version: 1,
    headline: { self_sufficiency: 1, attendance: 1 },
    time: 300,
    time_remaining: 9700,
    day: 0,
    tod: 300,
    ticks_per_day: 1000,
    seat: null,
    action_level: "option",
    map: {
      size: [24, 24],
      zones: [
        { id: "home_1", rect: [1, 1, 8, 6], door: [5, 6] },
        { id: "cafe", rect: [12, 1, 19, 6], door: [15, 6] },
        { id: "park", rect: [12, 11, 19, 18], door: null },
      ],
      objects: [
        ["fridge_1", "fridge", 0, 2, 2, 2, 3],
        ["bed_1", "bed", 0, 7, 2, 7, 3],
        ["cafe_fridge", "fridge", 1, 14, 2, 14, 3],
      ],
      uses: { fridge: ["eat_meal"], bed: ["rest_sleep"] },
      jobs: [["barista", 1, 270, 430]],
      spawns: [[0, 8]],
    },
    things: [],
    citizens: [sampleCitizen(), sampleCitizen({ seat: 1, id: "citizen_001", name: "Bram", at: [14, 4], job: null })],
    prices: { meal_cost: [0.5, 0.5], ingredients_cost: [0.2, 0.2], shower_cost: [0.1, 0.1], rent_per_day: [1.5, 1.5] },
    utilities: { power: true, water: true },
    perturbations: [],
    events: [],
    ...changes,
  };
}
