/** What a wall is asked to show; kept in the address, so that it can be shared. */
export interface WallQuestion {
  copies: number;
  /** `random`, a bot of the world, or a run. */
  player: string;
  /** Decisions a second. */
  rate: number;
  /** A game of the world's consoles; null for the world's default configuration. */
  rom: string | null;
}

export const SIZES = [16, 64, 256, 576, 1024] as const;
export const RATES = [1, 2, 5, 10, 20] as const;
const DEFAULTS: WallQuestion = { copies: 64, player: "random", rate: 5, rom: null };

export function readQuestion(search: string): WallQuestion {
  const given = new URLSearchParams(search);
  const number = (name: string, fallback: number) => {
    const value = Number(given.get(name));
    return Number.isFinite(value) && value > 0 ? value : fallback;
  };
  return {
    copies: Math.round(number("copies", DEFAULTS.copies)),
    player: given.get("player") ?? DEFAULTS.player,
    rate: number("rate", DEFAULTS.rate),
    rom: given.get("rom"),
  };
}

/** Returns the address of a page that asks so. */
export function wallAddress(world: string, question: WallQuestion): string {
  const parameters = new URLSearchParams({ world });
  for (const name of ["copies", "player", "rate", "rom"] as const) {
    const value = question[name];
    if (value !== null && value !== DEFAULTS[name]) {
      parameters.set(name, String(value));
    }
  }
  return `/wall?${parameters}`;
}

/** Returns the path of the socket that answers, in a configuration of the world where one is given. */
export function socketPath(
  world: string,
  { copies, player, rate }: WallQuestion,
  config: Readonly<Record<string, unknown>> | null,
): string {
  const parameters = new URLSearchParams({ world, copies: String(copies), player, rate: String(rate) });
  if (config !== null) {
    parameters.set("config", JSON.stringify(config));
  }
  return `/ws/wall?${parameters}`;
}
