import type { CampaignView, Fleet, MapNode, News, Order } from "./view";

/** Parts of a campaign for tests: complete, with only what matters to the test spelled out. */
export function mapNode(given: Partial<MapNode> & { id: string }): MapNode {
  const weather = { sea_state: 2, visibility_km: 15, precipitation: "NONE", wind_speed: 5, is_foggy: false };
  return { name: given.id, kind: "SEA", x_km: 0, y_km: 0, owner: null, is_chokepoint: false, weather, ...given };
}

export function fleetOf(given: Partial<Fleet> & { id: string }): Fleet {
  return {
    name: given.id,
    owner: "accord",
    node: null,
    passage: null,
    path: [],
    stance: "HOLD",
    mission: null,
    commander: null,
    cost: 0,
    condition: 1,
    supply_days: 30,
    cargo: {},
    ships: [],
    ...given,
  };
}

export function newsOf(given: Partial<News> & { number: number }): News {
  return { day: 1, topic: "supply", text: `news ${given.number}`, factions: [], node: null, cause: null, ...given };
}

export function orderOf(code: string, text: string, budget: Order["budget"] = "fleet"): Order {
  const [verb = "", ...rest] = code.split(" ");
  return { code, verb, arguments: rest, budget, text };
}

export function viewOf(given: Partial<CampaignView>): CampaignView {
  return {
    view_version: 1,
    scenario: "two_powers",
    seed: 1,
    day: 1,
    last_day: 360,
    player: "accord",
    ending: null,
    nodes: [],
    lanes: [],
    hubs: [],
    sites: [],
    fleets: [],
    routes: [],
    factions: [],
    relations: [],
    treaties: [],
    missions: [],
    sieges: [],
    news: [],
    battles: [],
    orders_left: { fleet: 6, policy: 2 },
    orders: [],
    concerns: [],
    pending_battle: null,
    ...given,
  };
}
