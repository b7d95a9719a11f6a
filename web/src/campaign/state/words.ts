import { capitalize } from "../../shared/capitalize";
import type { CampaignView, News, PendingBattle, StockStatus } from "./view";

/** Returns a name of the rules as people write it: `CORPORATE_MERITOCRACY` is "corporate meritocracy". */
export function plain(name: string): string {
  return name.toLowerCase().replaceAll("_", " ");
}

export type Tone = "good" | "warn" | "bad" | "dim";

const STOCK_TONES: Readonly<Record<StockStatus, Tone>> = {
  COMFORTABLE: "good",
  ADEQUATE: "good",
  RATIONING: "warn",
  CRITICAL: "bad",
  EXHAUSTED: "bad",
};

export function stockTone(status: StockStatus | null): Tone {
  return status === null ? "dim" : STOCK_TONES[status];
}

const BAND_TONES: Readonly<Record<string, Tone>> = {
  stable: "good",
  strained: "warn",
  crisis: "bad",
  collapse: "bad",
  allied: "good",
  friendly: "good",
  neutral: "dim",
  unfriendly: "warn",
  hostile: "bad",
  OPEN: "good",
  CONTESTED: "warn",
  BLOCKADED: "bad",
  CLOSED: "bad",
};

/** The tone of a government's hold, of two factions' relation or of a route. */
export function bandTone(band: string): Tone {
  return BAND_TONES[band] ?? "dim";
}

/** Supplies for so many days fill a gauge. */
const FULL_DAYS = 30;

/** Returns how full a gauge of days is, 0 to 1. */
export function gaugeShare(days: number | null): number {
  return days === null ? 0 : Math.min(Math.max(days / FULL_DAYS, 0), 1);
}

/** Returns amounts as a list: "400 food, 60 materials". */
export function amountWords(amounts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(amounts).map(([name, amount]) => `${Math.round(amount)} ${plain(name)}`);
  return parts.length === 0 ? "nothing" : parts.join(", ");
}

/** Returns the news that led to a piece of news, nearest cause first; those too old to be listed are left out. */
export function causesOf(item: News, news: readonly News[]): News[] {
  const byNumber = new Map(news.map((one) => [one.number, one]));
  const causes: News[] = [];
  let cause = item.cause;
  while (cause !== null) {
    const found = byNumber.get(cause);
    if (found === undefined || causes.includes(found)) {
      break;
    }
    causes.push(found);
    cause = found.cause;
  }
  return causes;
}

export interface NewsDay {
  day: number;
  items: News[];
}

/** Returns the news of the newest days first; inside a day in the order they happened. */
export function newsByDay(news: readonly News[], about: string | null): NewsDay[] {
  const days = new Map<number, News[]>();
  for (const item of news) {
    if (about === null || item.factions.includes(about)) {
      days.set(item.day, [...(days.get(item.day) ?? []), item]);
    }
  }
  return [...days].map(([day, items]) => ({ day, items })).sort((a, b) => b.day - a.day);
}

/** Returns a piece of news as a sentence; what it begins with may be a name of the rules, such as FUEL. */
export function newsWords({ text }: Pick<News, "text">): string {
  return `${capitalize(text.replace(/^[A-Z_]{3,}(?= )/, plain))}.`;
}

/** Returns the battle that a piece of news tells of, if it does. */
export function battleOf(item: News, view: CampaignView): string | null {
  if (item.topic !== "battle") {
    return null;
  }
  return view.battles.find((battle) => battle.day === item.day && battle.summary === item.text)?.battle_id ?? null;
}

/** Returns "2 corvettes, 1 frigate" for the classes of ships. */
export function shipWords(classes: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of classes) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} ${plain(name)}${count === 1 ? "" : "s"}`).join(", ");
}

/** Returns what asks for attention without how it is typed on a command line; the orders are buttons here. */
export function concernWords(text: string): string {
  const [what = text] = text.split(": order ");
  const until = /before day \d+/.exec(text)?.[0];
  return capitalize(until === undefined || what.includes(until) ? what : `${what}; answer ${until}`);
}

export interface BriefingWords {
  /** Where and in what weather. */
  opening: string[];
  /** One line per side, by the name it begins with. */
  sides: { name: string; text: string }[];
}

/** Takes a briefing apart; the number of a battle says nothing to a person. */
export function briefingWords({ briefing, battle_id }: PendingBattle): BriefingWords {
  const lines = briefing.map((line) => line.replace(`Battle ${battle_id}`, "Battle"));
  const sides = lines.flatMap((line) => {
    const [name = "", ...rest] = line.split(": ");
    return rest.length > 0 ? [{ name, text: capitalize(rest.join(": ")) }] : [];
  });
  return { opening: lines.filter((line) => !line.includes(": ")), sides };
}
