import type { ContactState, OwnState, TidebreakState, TrackState, UnitState } from "./state";

/** Made-up moments of a duel, for tests. */
export function sampleUnit(changes: Partial<UnitState> = {}): UnitState {
  return {
    id: 1,
    ship_id: "blue-01-corvette",
    team: "blue",
    class: "corvette",
    kind: "SHIP",
    radius: 22,
    x: 0,
    y: 0,
    h: 0,
    speed: 9,
    layer: 0,
    mode: 0,
    target_layer: null,
    progress: 0,
    hp: 0.9,
    fire: 0,
    flood: 0,
    systems: [1, 1, 1, 1, 1],
    morale: 0.7,
    emissions: 1,
    status: [],
    seat: 0,
    controller: "agent",
    target: null,
    damage_dealt: 0,
    damage_taken: 0,
    kills: 0,
    shots: 0,
    hits: 0,
    ...changes,
  };
}

export function sampleTrack(changes: Partial<TrackState> = {}): TrackState {
  return {
    track: "1:1",
    holder: 1,
    x: 5000,
    y: 0,
    vx: 0,
    vy: 0,
    sigma: 120,
    quality: 1,
    bearing_only: false,
    iff: "HOSTILE_DECLARED",
    age: 0,
    layer: 0,
    size: "S",
    class: null,
    is_munition: false,
    held_by: 1,
    contact: 2,
    ...changes,
  };
}

export function sampleContact(changes: Partial<ContactState> = {}): ContactState {
  return {
    row: 0,
    kind: "track",
    label: "hostile S",
    x: 5000,
    y: 0,
    range_m: 5000,
    bearing: 0,
    quality: 1,
    iff: "HOSTILE_DECLARED",
    layer: 0,
    can_engage: false,
    ...changes,
  };
}

export function sampleOwn(changes: Partial<OwnState> = {}): OwnState {
  return {
    seat: 0,
    unit: 1,
    speed: 9,
    speed_limit: 14,
    throttle: 0.65,
    ordered_throttle: 0.65,
    rudder: 0,
    ordered_rudder: 0,
    fuel: 0.9,
    morale: 0.7,
    crew: 1,
    decoys: 2,
    marines: 0,
    dc_focus: 0,
    noise_db: 132,
    is_detected: false,
    weapons: [{ group: "GUN", mounts: 2, ready: 1, ammo: 120, ammo_share: 0.8, range_m: 7000 }],
    target_row: null,
    contacts: [],
    ...changes,
  };
}

export function sampleState(changes: Partial<TidebreakState> = {}): TidebreakState {
  return {
    schema_version: 1,
    headline: { win: 0, cost_margin: 0 },
    time: 12,
    time_remaining: 588,
    view: "omniscient",
    bounds: [-8000, -8000, 8000, 8000],
    map: { edges: "closed", depth: { uniform_m: 1500 }, obstacles: [], zones: [] },
    weather: { sea_state: 2, visibility_km: 15, precipitation: "NONE", wind: [3, -1], lightning: 0 },
    storms: [],
    teams: [
      { team_id: "blue", name: "Blue", cost_share: 1, units: 1, effective: 1 },
      { team_id: "red", name: "Red", cost_share: 1, units: 1, effective: 1 },
    ],
    seats: [{ seat: 0, unit: 1, ship_id: "blue-01-corvette", team: "blue", alive: true }],
    units: [
      sampleUnit(),
      sampleUnit({ id: 2, ship_id: "red-01-frigate", team: "red", class: "frigate", x: 5000, seat: null }),
    ],
    munitions: [],
    tracks: { blue: [sampleTrack()], red: [] },
    own: [sampleOwn()],
    objective: [],
    fields: {},
    domain: [-8192, -8192, 16_384],
    events: [],
    outcome: null,
    ...changes,
  };
}
