import type { ComponentType } from "react";
import type { Past } from "./diary";
import type { EventTone } from "./events";
import type { ManifestSet } from "./manifests";

/** What a world shows of one moment; the fields every world has, the rest is known to its renderer. */
export interface RenderState {
  schema_version: number;
  headline: Record<string, number>;
  time: number;
  time_remaining: number;
  [field: string]: unknown;
}

/** One step as the picture needs it, from a replay frame or from a play session. */
export interface Frame {
  /** What was chosen anew in the step, by its index over the options of all heads. */
  options: readonly number[];
  events: readonly string[];
  event_data?: Readonly<Record<string, unknown>> | null;
}

/** One choice of a decision. */
export interface Head {
  name: string;
  options: readonly string[];
  noop: number;
}

/** The parts of the world descriptor that pictures and decks read. */
export interface Descriptor {
  world: string;
  action_labels: readonly string[];
  action_heads: readonly Head[];
  metrics: readonly { key: string; label: string; unit?: string | null }[];
  headline: readonly string[];
}

export type Role = "agent" | "human";
export type ThemeName = "dark" | "light";

export interface MountOptions {
  theme: ThemeName;
  descriptor: Descriptor;
  manifests: ManifestSet;
  role: Role;
  /** Called with the key of an action when something in the picture that stands for it is clicked. */
  onPick?: (key: string) => void;
  /** Called with the key of a subject when it is clicked. */
  onSubject?: (key: string) => void;
}

/** A picture that comes as pixels, row by row. */
export interface Pixels {
  name: string;
  shape: readonly number[];
  bytes: Uint8Array;
}

export interface View {
  state: RenderState;
  frame?: Frame;
  previous?: RenderState;
  /** What a world that sends pixels shows. */
  pixels?: readonly Pixels[];
  /** Who or what of a world with several subjects is looked at; absent where nobody has chosen. */
  subject?: string | null;
  reducedMotion: boolean;
}

export interface WorldRenderer {
  mount(host: HTMLElement, options: MountOptions): Promise<void>;
  show(view: View): void;
  resize(): void;
  destroy(): void;
  /** Takes the choices of the picture's tools. */
  apply?(choices: ToolChoices): void;
  /** Does what a button of the picture's tools says. */
  press?(key: string): void;
}

/** What may be changed about a picture while it is looked at; it stands in a bar over the picture. */
export type PictureTool =
  | { kind: "switch"; key: string; label: string; hint: string; initial: boolean }
  | {
      kind: "choice";
      key: string;
      label: string;
      options: readonly { value: string; label: string }[];
      initial: string;
    }
  | { kind: "button"; key: string; label: string; icon: "zoom-in" | "zoom-out" | "fit" };

export type ToolChoices = Readonly<Record<string, string | boolean>>;

export type Tone = "good" | "fair" | "bad" | "plain";

/** One line of a list of numbers that may be good or bad; `share` is -1..1. */
export interface HudRow {
  label: string;
  text: string;
  share: number;
}

/** Somebody or something the gauges can be about. */
export interface Subject {
  key: string;
  label: string;
  hint: string;
  tone: Tone;
  /** The seat that plays it. */
  seat: number;
  /** Whether it is the player's own. */
  isOwn: boolean;
}

export interface HudGauge {
  key: string;
  label: string;
  /** The value as people read it. */
  text: string;
  /** 0..1 where the value is a share of something, else absent. */
  share?: number;
  tone: Tone;
  /** What the number means, shown on hover. */
  hint: string;
  parts?: readonly { label: string; value: number; share: number; color: string }[];
  /** A list under the label; the text of the gauge stands there where it is empty. */
  rows?: readonly HudRow[];
}

export interface ActionText {
  title: string;
  /** What it costs and does, shown on hover. */
  detail: string;
  /** Actions of one family stand in one row of the deck under this name, each by its short title. */
  family?: string;
  short?: string;
  /** Place in the row of its family, where the order of the options is not that of the eye. */
  place?: number;
  /** Left out of the deck while it cannot be chosen: one of many that stand for things which may not be there. */
  isHiddenWhenClosed?: boolean;
}

/** An action a newcomer would do well to consider, with the reason. */
export interface Suggestion {
  key: string;
  why: string;
  /** Options of other heads that belong to it. */
  also?: readonly string[];
  /** Its name where that of the action does not tell the whole. */
  title?: string;
}

/** Something that happened, in words. */
export interface EventLine {
  id: number;
  /** The line that led to it; 0 for none, null in a world that does not tell causes. */
  cause: number | null;
  tick: number;
  text: string;
  tone: EventTone;
  /** Known only as the cause of others; not listed by itself. */
  isMinor: boolean;
}

/** What the panels of a world are told. */
export interface PanelsProps {
  state: RenderState;
  /** The notes of the moments up to the one on screen, which is the last. */
  past: Past;
  /** The notes of every moment that is known, also of later ones; absent while somebody plays. */
  whole?: Past;
  manifests: ManifestSet;
  /** Takes an action, by its key; absent where nobody plays. */
  onPick?: (key: string) => void;
  /** Whether an action can be taken now, by its key; absent where nobody plays. */
  isOpen?: (key: string) => boolean;
}

/** Everything a world adds to the pages; loaded when it is first shown. */
export interface WorldModule {
  /** Begins to fetch what the first picture is made of. */
  prepare(manifests: ManifestSet): void;
  /** Brings what draws the world; numbers and words of the module are there before. */
  createRenderer(): Promise<WorldRenderer>;
  /** The gauges; in a world with several subjects, of the one that is chosen. */
  hud(state: RenderState, colors: Readonly<Record<string, string>>, subject?: string | null): HudGauge[];
  describe(state: RenderState): string;
  /** A friendly name for an action, by its key (see `actionKey`), in the present state. */
  actionText(key: string, state: RenderState): ActionText;
  /** Actions a newcomer would do well to consider now, best first, with the reason; by their keys. */
  suggest(state: RenderState, isOpen: (key: string) => boolean): Suggestion[];
  /** Why an option cannot go with what is chosen on other heads, all by their keys; empty where it can. */
  refusal?(key: string, chosen: ReadonlySet<string>, state: RenderState): string;
  howTo: readonly { title: string; text: string }[];
  /** Heads whose order stays in force until another is given; an order on any other head is carried out once. */
  standingHeads?: readonly string[];
  /** Who or what the gauges can be about, in a world with several. */
  subjects?(state: RenderState): readonly Subject[];
  /** The tools of the picture at a moment. */
  tools?(state: RenderState, role: Role): readonly PictureTool[];
  /** What happened in the step that led to a state; for worlds that tell causes. */
  eventLines?(state: RenderState): readonly EventLine[];
  /** Panels beside the picture, under the gauges. */
  Panels?: ComponentType<PanelsProps>;
  /** What its panels remember of a moment; the pages keep it for all moments of an episode, so it is small. */
  noteOf?(state: RenderState): unknown;
  /** Pictures of events in the graphics manifest, by the names of the events. */
  eventPictures?: Readonly<Record<string, string>>;
  /** What players are ranked by where no single metric says it all. */
  score?: WorldScore;
}

/** One number for a whole game, made of its metrics. */
export interface WorldScore {
  label: string;
  hint: string;
  /** Null where it cannot be said. */
  of(metrics: Readonly<Record<string, number>>): number | null;
}
