/** What the world shows of a campaign; version 1 of its view. */

export type Amounts = Readonly<Record<string, number>>;
export type StockStatus = "COMFORTABLE" | "ADEQUATE" | "RATIONING" | "CRITICAL" | "EXHAUSTED";
export type RouteStatus = "OPEN" | "CONTESTED" | "BLOCKADED" | "CLOSED";
export type NodeKind = "HUB" | "SITE" | "STRAIT" | "SEA" | "WRECK";

export interface MapNode {
  id: string;
  name: string;
  kind: NodeKind;
  x_km: number;
  y_km: number;
  owner: string | null;
  is_chokepoint: boolean;
  weather: { sea_state: number; visibility_km: number; precipitation: string; wind_speed: number; is_foggy: boolean };
}

export interface Lane {
  a: string;
  b: string;
  days: number;
  is_chokepoint: boolean;
}

export interface Stock {
  resource: string;
  amount: number;
  need: number;
  days: number | null;
  status: StockStatus | null;
  change: number;
}

export interface Hub {
  id: string;
  name: string;
  kind: string;
  owner: string;
  population: number;
  security: number;
  prosperity: number;
  efficiency: number;
  condition: number;
  is_rationing: boolean;
  stock: Stock[];
  facilities: Amounts;
  yard_level: number;
  builds: { class_id: string; days_left: number; is_begun: boolean }[];
  investments: { chain: string; ready_day: number }[];
  governor: { number: number; name: string } | null;
  government: {
    kind: string;
    legitimacy: number;
    band: string;
    ruling: string;
    capital: number;
    next_election_day: number;
    queue: { number: number; text: string; ready_day: number | null }[];
  };
  blocs: { kind: string; share: number; satisfaction: number; radicalization: number }[];
  crises: { kind: string; deadline_day: number }[];
  conquest: { former_owner: string; state: string; resistance: number } | null;
}

export interface Site {
  id: string;
  name: string;
  hub: string;
  owner: string;
  facilities: Amounts;
  condition: number;
  store: Amounts;
  is_cut_off: boolean;
  is_sabotaged: boolean;
}

export interface Ship {
  id: string;
  name: string;
  class_id: string;
  hp_share: number;
  crew_share: number;
  ammo_share: number;
  fatigue: number;
  marines: number;
}

export interface Fleet {
  id: string;
  name: string;
  owner: string;
  node: string | null;
  passage: { origin: string; target: string; days_left: number } | null;
  path: string[];
  stance: string;
  mission: number | null;
  commander: { number: number; name: string } | null;
  cost: number;
  condition: number;
  supply_days: number;
  cargo: Amounts;
  ships: Ship[];
}

export interface Route {
  id: string;
  name: string;
  kind: string;
  origin: string;
  destination: string;
  path: string[];
  capacity: number;
  goods: Amounts;
  goods_back: Amounts;
  moved: Amounts;
  moved_back: Amounts;
  status: RouteStatus;
  threat: number;
}

export interface Faction {
  id: string;
  name: string;
  is_major: boolean;
  is_player: boolean;
  leader: string | null;
  score: number;
  morale: number;
  action_points: number;
  goals: { kind: string; target: string | null; score: number }[];
  reputation: number;
  defeated_day: number | null;
  at_war_with: string[];
}

export interface Relation {
  between: [string, string];
  disposition: number;
  band: string;
  is_at_war: boolean;
  cause: number | null;
  embargoes: string[];
}

export interface Treaty {
  number: number;
  kind: string;
  between: [string, string];
  end_day: number | null;
}

export interface Mission {
  number: number;
  kind: string;
  text: string;
  issuer: string;
  node: string;
  deadline_day: number;
  reward: Amounts;
  status: string;
  fleets: string[];
  is_offered: boolean;
}

export interface Siege {
  number: number;
  hub: string;
  attacker: string;
  defender: string;
  control: number;
  troops: number;
}

export interface News {
  number: number;
  day: number;
  topic: string;
  text: string;
  factions: string[];
  node: string | null;
  cause: number | null;
}

export interface Battle {
  battle_id: string;
  day: number;
  node: string;
  factions: string[];
  winner: string | null;
  summary: string;
}

export type Budget = "fleet" | "policy" | "free";

export interface Order {
  code: string;
  verb: string;
  arguments: string[];
  budget: Budget;
  text: string;
}

export interface Concern {
  key: string;
  text: string;
}

export interface PendingBattle {
  battle_id: string;
  side: string;
  briefing: string[];
  ships: { ship_id: string; team_id: string; class_id: string; objective: string | null; morale: number }[];
}

export interface CampaignView {
  view_version: number;
  scenario: string;
  seed: number;
  day: number;
  last_day: number;
  player: string | null;
  ending: { day: number; reason: string; winner: string | null } | null;
  nodes: MapNode[];
  lanes: Lane[];
  hubs: Hub[];
  sites: Site[];
  fleets: Fleet[];
  routes: Route[];
  factions: Faction[];
  relations: Relation[];
  treaties: Treaty[];
  missions: Mission[];
  sieges: Siege[];
  news: News[];
  battles: Battle[];
  orders_left: { fleet: number; policy: number };
  orders: Order[];
  concerns: Concern[];
  pending_battle: PendingBattle | null;
}

const VIEW_VERSION = 1;

/** Takes the view out of an answer; one of another version would be shown wrong, so it is refused. */
export function readView(view: Record<string, unknown>): CampaignView {
  if (view.view_version !== VIEW_VERSION) {
    throw new Error(`This page shows campaigns of version ${VIEW_VERSION}; this one has ${String(view.view_version)}.`);
  }
  return view as unknown as CampaignView;
}
