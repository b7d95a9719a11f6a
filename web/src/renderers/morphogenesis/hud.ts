import { formatNumber, formatWholePercent } from "../../shared/format";
import type { HudGauge, HudRow, RenderState, Tone } from "../renderer";
import { humanize } from "../ui/labels";
import { actionText } from "./actionText";
import { duel, duelScore } from "./duel";
import {
  asMorphogenesis,
  type MorphogenesisState,
  OPS,
  refusalOf,
  type SeedState,
  type SlotState,
  slotOf,
} from "./state";
import { blueprintName, percent, points, rewardTermName, STAGE_HINTS, sideOf, stageText } from "./words";

const GOOD_HEALTH = 0.7;
const FAIR_HEALTH = 0.4;
/** Growth of the parameters from which a warning, and an alarm, are due. */
const MUCH_GROWTH = 2;
const FAR_TOO_MUCH = 5;

/** The gauges of the host, or of the slot that is looked at. */
export function hud(state: RenderState, _: Readonly<Record<string, string>>, subject?: string | null): HudGauge[] {
  const now = asMorphogenesis(state);
  const slot = slotOf(now, subject);
  return slot === undefined ? hostGauges(now) : slotGauges(now, slot);
}

function hostGauges(now: MorphogenesisState): HudGauge[] {
  const growth = now.total_params / now.host_params;
  const score = duelScore(now.gain, growth);
  return [
    bar(
      "accuracy",
      "Accuracy",
      percent(now.accuracy),
      now.accuracy / 100,
      toneOfGain(now.gain),
      "On the validation set.",
    ),
    bar(
      "params",
      "Budget",
      `${formatNumber(now.total_params)}`,
      now.total_params / now.param_budget,
      growth > FAR_TOO_MUCH ? "bad" : growth > MUCH_GROWTH ? "fair" : "good",
      `Parameters of host and seeds, of a budget of ${formatNumber(now.param_budget)}; the reward charges rent for them.`,
    ),
    list(
      "contributions",
      "Contributions",
      contributionRows(now),
      "What removing each seed would cost, in points.",
      "No seed is on the path yet",
    ),
    list(
      "reward",
      now.last_action === null ? "Reward" : `Reward ${formatNumber(now.last_action.reward)}`,
      rewardRows(now),
      "What the last decision was worth, part by part.",
      "Nothing paid yet",
    ),
    plain("epoch", "Epoch", `${now.epoch} of ${now.max_epochs}`, "One decision is taken per epoch."),
    {
      ...plain(
        "gain",
        "Over its twin",
        `${points(now.gain)} points`,
        "The same host with the same data, never grown, is the control twin.",
      ),
      tone: toneOfGain(now.gain),
    },
    {
      ...plain("score", duel.label, points(score), duel.hint),
      tone: toneOfGain(score),
    },
    plain("control", "Control twin", percent(now.control_accuracy), "Accuracy of the twin that never grows."),
    plain("loss", "Loss", formatNumber(now.loss), "Mean cross-entropy in nats, on the validation set."),
    plain("growth", "Parameters", `${growth.toFixed(2)} × host`, `${formatNumber(now.host_params)} without any seed.`),
    plain(
      "seeds",
      "Seeds",
      `${now.counts.planted} planted, ${now.counts.permanent} kept`,
      `${now.counts.pruned} were removed.`,
    ),
    plain("return", "Return", formatNumber(now.episode_reward), "Rewards of the episode so far."),
    plain(
      "task",
      "Task",
      humanize(now.task),
      `Host: ${now.topology === "cnn" ? "a convolutional network" : "a transformer"}.`,
    ),
    ...(now.rollbacks > 0 || now.is_rolling_back
      ? [
          {
            ...plain(
              "rollbacks",
              "Rollbacks",
              `${now.rollbacks}${now.is_rolling_back ? " and one now" : ""}`,
              "How often the governor put the host back.",
            ),
            tone: "bad" as const,
          },
        ]
      : []),
  ];
}

function slotGauges(now: MorphogenesisState, slot: SlotState): HudGauge[] {
  const { seed, stage } = slot;
  return [
    ...(seed === null ? [] : seedBars(seed)),
    list("can", "What can be done", doableRows(now, slot.slot_id), "And what stands against the rest.", "Nothing"),
    plain("stage", "Stage", stageText(stage, seed), STAGE_HINTS[stage]),
    ...(seed === null ? [] : seedFacts(seed)),
    plain("channels", "Channels", `${slot.channels}`, "Width of the features at this slot."),
  ];
}

function seedBars(seed: SeedState): HudGauge[] {
  const health = seed.gradient_health;
  const trouble = seed.has_exploding ? ", exploding" : seed.has_vanishing ? ", vanishing" : "";
  return [
    bar("alpha", "Alpha", formatWholePercent(seed.alpha), seed.alpha, "plain", alphaHint(seed)),
    ...(health === null
      ? []
      : [
          bar(
            "health",
            "Gradients",
            formatWholePercent(health),
            health,
            health >= GOOD_HEALTH ? "good" : health >= FAIR_HEALTH ? "fair" : "bad",
            `Share of its gradients that are neither vanishing nor exploding${trouble}.`,
          ),
        ]),
  ];
}

function alphaHint({ alpha_mode, alpha_target, alpha_steps_left, alpha_curve }: SeedState): string {
  const target = formatWholePercent(alpha_target);
  return alpha_mode === "HOLD"
    ? `Rests; its target is ${target}.`
    : `Moves ${alpha_mode === "UP" ? "up" : "down"} to ${target} in ${alpha_steps_left} epochs, ${alpha_curve.toLowerCase()}.`;
}

function seedFacts(seed: SeedState): HudGauge[] {
  return [
    plain("blueprint", "Blueprint", blueprintName(seed.blueprint), `Called ${seed.blueprint}; seed ${seed.seed_id}.`),
    {
      ...plain(
        "contribution",
        "Contribution",
        seed.contribution === null ? "Not measured" : `${points(seed.contribution)} points`,
        "What removing it now would cost.",
      ),
      tone: toneOfGain(seed.contribution),
    },
    plain(
      "reference",
      "Won since planting",
      `${points(seed.reference_improvement)} points`,
      "What its contribution is checked against: a host leans on whatever it has.",
    ),
    plain(
      "improvement",
      "Since stage began",
      `${points(seed.improvement)} points`,
      "Gain since the seed entered its stage.",
    ),
    plain(
      "age",
      "Age",
      `${seed.age} epochs, ${seed.epochs_in_stage} in stage`,
      "Since it was planted, and in this stage.",
    ),
    plain("style", "Style", humanize(seed.style), "How it is blended in."),
    plain("seed_params", "Parameters", formatNumber(seed.params), "Of this seed."),
    {
      ...plain(
        "healthy",
        "Health",
        seed.is_healthy ? "Sound" : "Unsound",
        "Its numbers are finite and its gradients do not explode.",
      ),
      tone: seed.is_healthy ? "good" : "bad",
    },
  ];
}

function contributionRows({ slots }: MorphogenesisState): HudRow[] {
  const measured = slots.flatMap(({ slot_id, seed }) =>
    seed === null || seed.contribution === null ? [] : [{ slot_id, contribution: seed.contribution }],
  );
  const most = Math.max(1, ...measured.map(({ contribution }) => Math.abs(contribution)));
  return measured.map(({ slot_id, contribution }) => ({
    label: slot_id,
    text: points(contribution),
    share: contribution / most,
  }));
}

function rewardRows({ reward_terms: parts }: MorphogenesisState): HudRow[] {
  const most = Math.max(...Object.values(parts).map(Math.abs));
  return Object.entries(parts).map(([name, value]) => ({
    label: rewardTermName(name),
    text: formatNumber(value),
    share: value / most,
  }));
}

function doableRows(now: MorphogenesisState, slotId: string): HudRow[] {
  return OPS.filter((op) => op !== "WAIT").map((op) => {
    const refused = refusalOf(now, op, slotId);
    return {
      label: actionText(`op.${op}`, now).title,
      text: refused === "" ? "possible" : refused,
      share: refused === "" ? 1 : 0,
    };
  });
}

function toneOfGain(gain: number | null): Tone {
  return ({ better: "good", worse: "bad", even: "plain" } as const)[sideOf(gain)];
}

function bar(key: string, label: string, text: string, share: number, tone: Tone, hint: string): HudGauge {
  return { key, label, text, share: Math.min(1, Math.max(0, share)), tone, hint };
}

function list(key: string, label: string, rows: readonly HudRow[], hint: string, none: string): HudGauge {
  return { key, label, text: none, tone: "plain", hint, rows };
}

function plain(key: string, label: string, text: string, hint: string): HudGauge {
  return { key, label, text, tone: "plain", hint };
}
