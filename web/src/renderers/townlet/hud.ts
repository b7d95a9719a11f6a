import { capitalize } from "../../shared/capitalize";
import { formatWholePercent } from "../../shared/format";
import type { HudGauge, HudRow, RenderState, Tone } from "../renderer";
import { asTownlet, type CitizenState, citizenAt, NEEDS, subjectOf, type TownletState } from "./state";
import {
  aboutWords,
  clock,
  coins,
  itemWords,
  NEED_WORDS,
  placeName,
  priceName,
  REWARD_TERMS,
  shiftWords,
} from "./words";

const TRAITS = ["Outgoing", "Forgiving", "Ambitious"] as const;
const GOOD = 0.6;
const FAIR = 0.3;
/** Ties and rewards too small to be told. */
const LITTLE = 0.005;

/** The gauges of the citizen who is looked at, and of the town around. */
export function hud(state: RenderState, _: Readonly<Record<string, string>>, subject?: string | null): HudGauge[] {
  const now = asTownlet(state);
  const citizen = subjectOf(now, subject);
  return citizen === undefined
    ? townFacts(now)
    : [...bars(citizen), ...lists(now, citizen), ...facts(now, citizen), ...townFacts(now)];
}

function bars(citizen: CitizenState): HudGauge[] {
  return NEEDS.map((need, place) => {
    const value = citizen.needs[place] ?? 0;
    return { key: need, ...NEED_WORDS[need], text: formatWholePercent(value), share: value, tone: toneOf(value) };
  });
}

function facts(state: TownletState, citizen: CitizenState): HudGauge[] {
  const job = citizen.job === null ? undefined : state.map.jobs[citizen.job];
  const hours =
    job === undefined ? "" : `, ${clock(job[2], state.ticks_per_day)}–${clock(job[3], state.ticks_per_day)}`;
  const bag = Object.entries(citizen.items).map(([item, count]) => itemWords(item, count));
  return [
    plain("plan", "Plan", planWords(state, citizen), "What the citizen has set out to do, and for how long at least."),
    plain("wallet", "Wallet", coins(citizen.wallet), "Money at hand."),
    plain("job", "Job", job === undefined ? "None" : `${placeName(job[0])}${hours}`, "Where it works, and when."),
    {
      ...plain("shift", "Shift", shiftWords(citizen.shift), "Where it stands with today's shift."),
      tone: shiftTone(citizen.shift),
    },
    plain(
      "attendance",
      "Attendance",
      attendanceWords(state, citizen),
      "Share of the last shifts it was there on time.",
    ),
    plain("home", "Home", placeName(state.map.zones[citizen.home]?.id ?? "none"), "Where its bed stands."),
    plain("items", "Carries", bag.length === 0 ? "Nothing" : bag.join(", "), "What it has with it."),
    plain(
      "character",
      "Character",
      `${placeName(citizen.profile)}${characterWords(citizen)}`,
      "Its profile, and what it is more than others.",
    ),
    plain("fitness", "Fitness", citizen.fitness.toFixed(2), "How well it has got on over the last day, 0 to 1."),
    ...(citizen.arrears > 0
      ? [
          {
            ...plain("arrears", "Rent owed", `${citizen.arrears} days`, "Too many lead to eviction."),
            tone: "bad" as const,
          },
        ]
      : []),
    ...(citizen.is_leaving
      ? [{ ...plain("leaving", "Place in town", "In question", "Too many missed shifts."), tone: "bad" as const }]
      : []),
  ];
}

function lists(state: TownletState, citizen: CitizenState): HudGauge[] {
  const ties = citizen.ties.flatMap(([seat, trust, familiarity, rivalry]): HudRow[] => {
    const other = citizenAt(state, seat);
    const liking = (trust + familiarity) / 2 - rivalry;
    return other === undefined || Math.abs(liking) < LITTLE
      ? []
      : [{ label: other.name, text: tieWords(trust, familiarity, rivalry), share: liking }];
  });
  const { total = 0, ...terms } = citizen.reward;
  const most = Math.max(LITTLE, ...Object.values(terms).map(Math.abs));
  const parts = Object.entries(terms).map(
    ([term, value]): HudRow => ({
      label: REWARD_TERMS[term] ?? placeName(term),
      text: signed(value),
      share: value / most,
    }),
  );
  return [
    list(
      "ties",
      "Ties",
      ties.toSorted((one, other) => Math.abs(other.share) - Math.abs(one.share)),
      "Whom it likes (right) and whom it is at odds with (left).",
      "No ties yet",
    ),
    list(
      "reward",
      parts.length === 0 ? "Reward" : `Reward ${signed(total)}`,
      parts,
      "What the last tick was worth, part by part.",
      "Nothing paid yet",
    ),
  ];
}

function townFacts(state: TownletState): HudGauge[] {
  const raised = Object.entries(state.prices).filter(([, [usual, now]]) => now > usual + LITTLE);
  const prices = raised.map(([key, [usual, now]]) => `${priceName(key)} × ${(now / usual).toFixed(1)}`);
  const outages = [...(state.utilities.power ? [] : ["no power"]), ...(state.utilities.water ? [] : ["no water"])];
  return [
    plain(
      "clock",
      "Town clock",
      `Day ${state.day + 1}, ${clock(state.tod, state.ticks_per_day)}`,
      "A day has 24 hours of town time.",
    ),
    {
      ...plain(
        "prices",
        "Prices",
        prices.length === 0 ? "As usual" : prices.join(", "),
        "Of meals, groceries, showers and rent.",
      ),
      tone: prices.length === 0 ? "plain" : "bad",
    },
    {
      ...plain(
        "utilities",
        "Power and water",
        outages.length === 0 ? "On" : outages.join(", "),
        "Stoves and showers need them.",
      ),
      tone: outages.length === 0 ? "plain" : "bad",
    },
  ];
}

function planWords(state: TownletState, citizen: CitizenState): string {
  const words = aboutWords(state, citizen);
  const commit = citizen.commit > 0 && !citizen.is_busy ? `, ${citizen.commit} more ticks` : "";
  return `${capitalize(words)}${commit}`;
}

/**
 * Before somebody's shift has ended on the first day there is nothing to judge. Later a share of zero may be that of a
 * newcomer or of somebody who was never on time: who came when is not told.
 */
function attendanceWords({ map, day, tod }: TownletState, { job, attendance }: CitizenState): string {
  const end = map.jobs[job ?? -1]?.[3] ?? Number.POSITIVE_INFINITY;
  return day === 0 && tod <= end ? "No shift done yet" : formatWholePercent(attendance);
}

function characterWords({ traits }: CitizenState): string {
  const strong = TRAITS.filter((_, place) => (traits[place] ?? 0) > 0.3).map((trait) => trait.toLowerCase());
  return strong.length === 0 ? "" : `, ${strong.join(", ")}`;
}

function tieWords(trust: number, familiarity: number, rivalry: number): string {
  const parts = [
    ...(Math.abs(trust) > LITTLE ? [`trust ${trust.toFixed(2)}`] : []),
    ...(Math.abs(familiarity) > LITTLE ? [`known ${familiarity.toFixed(2)}`] : []),
    ...(rivalry > LITTLE ? [`rivalry ${rivalry.toFixed(2)}`] : []),
  ];
  return parts.join(" · ");
}

function shiftTone(shift: string): Tone {
  return shift === "on_time" ? "good" : shift === "late" || shift === "absent" ? "bad" : "plain";
}

function toneOf(value: number): Tone {
  return value > GOOD ? "good" : value > FAIR ? "fair" : "bad";
}

function list(key: string, label: string, rows: readonly HudRow[], hint: string, none: string): HudGauge {
  return { key, label, text: none, tone: "plain", hint, rows };
}

function plain(key: string, label: string, text: string, hint: string): HudGauge {
  return { key, label, text, tone: "plain", hint };
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`;
}
