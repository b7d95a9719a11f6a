import { formatNumber } from "../../shared/format";
import type { HudGauge, RenderState } from "../renderer";
import { readState } from "./state";

const KINDS: Readonly<Record<string, string>> = {
  gb_pixels: "Free play",
  gb_goal: "Reach a picture",
  gb_tasks: "Task",
  gb_curriculum: "Curriculum",
};

const FRAMES_A_SECOND = 4_194_304 / 70_224;

export function kindWords(kind: string): string {
  return KINDS[kind] ?? kind;
}

/** Says what is on the screen for whoever cannot see it. */
export function describe(state: RenderState): string {
  const { rom, kind, time, watch } = readState(state);
  const watched = Object.entries(watch ?? {}).map(([name, value]) => `${name} ${value}`);
  const seen = watched.length > 0 ? `; ${watched.join(", ")}` : "";
  return `Screen of ${rom ?? "a console"}, ${kindWords(kind ?? "").toLowerCase()}, frame ${time}${seen}`;
}

export function gauges(state: RenderState): HudGauge[] {
  const { rom, kind, headline, time, time_remaining: left, watch, stage, registers } = readState(state);
  const plain = (key: string, label: string, text: string, hint: string): HudGauge => ({
    key,
    label,
    text,
    tone: "plain",
    hint,
  });
  const isGoal = kind === "gb_goal" || kind === "gb_curriculum";
  const trap = registers?.trap_kind ?? 0;
  return [
    plain("rom", "ROM", rom ?? "–", "The cartridge."),
    plain("kind", "Kind", kindWords(kind ?? ""), `What an episode is about: ${kind}.`),
    {
      key: "success",
      label: "Success",
      text: headline.success === 1 ? "yes" : "not yet",
      tone: headline.success === 1 ? "good" : "plain",
      hint: "Whether the episode has reached its end by the rules.",
    },
    ...(isGoal
      ? [
          plain(
            "distance",
            "Distance",
            formatNumber(headline.final_distance),
            "How far the picture is from the goal: 0 is the goal itself, 1 its opposite.",
          ),
        ]
      : []),
    ...(kind === "gb_curriculum" ? [plain("stage", "Stage", `${stage}`, "Goals that were reached before.")] : []),
    plain("time", "Time", `${formatNumber(time / FRAMES_A_SECOND)} s`, `${time} frames since the episode began.`),
    ...(left > 0
      ? [plain("left", "Time left", `${formatNumber(left / FRAMES_A_SECOND)} s`, `${left} frames until it is cut off.`)]
      : []),
    ...(trap === 0
      ? []
      : [{ key: "trap", label: "Processor", text: "stopped", tone: "bad" as const, hint: "It met no instruction." }]),
    ...Object.entries(watch ?? {}).map(([name, value]) =>
      plain(`watch.${name}`, name, `${value}`, `The byte ${name}: ${hex(value)} in hexadecimal.`),
    ),
  ];
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, "0");
}
