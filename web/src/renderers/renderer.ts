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
  action: number | readonly number[] | null;
  events: readonly string[];
  event_data?: Readonly<Record<string, unknown>> | null;
}

/** The parts of the world descriptor that pictures and decks read. */
export interface Descriptor {
  world: string;
  action_labels: readonly string[];
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
  /** Called with an action label when something in the picture that stands for an action is clicked. */
  onPick?: (label: string) => void;
}

export interface View {
  state: RenderState;
  frame?: Frame;
  previous?: RenderState;
  reducedMotion: boolean;
}

export interface WorldRenderer {
  mount(host: HTMLElement, options: MountOptions): Promise<void>;
  show(view: View): void;
  resize(): void;
  destroy(): void;
}

export type Tone = "good" | "fair" | "bad" | "plain";

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
}

export interface ActionText {
  title: string;
  /** What it costs and does, shown on hover. */
  detail: string;
  /** Actions of one family stand in one row of the deck under this name, each by its short title. */
  family?: string;
  short?: string;
}

/** Everything a world adds to the pages; loaded when it is first shown. */
export interface WorldModule {
  /** Begins to fetch what the first picture is made of. */
  prepare(manifests: ManifestSet): void;
  /** Brings what draws the world; numbers and words of the module are there before. */
  createRenderer(): Promise<WorldRenderer>;
  hud(state: RenderState, colors: Readonly<Record<string, string>>): HudGauge[];
  describe(state: RenderState): string;
  /** A friendly name for an action in the present state; the label of the descriptor is the fallback. */
  actionText(label: string, state: RenderState): ActionText;
  /** Actions a newcomer would do well to consider now, best first, with the reason. */
  suggest(state: RenderState, isOpen: (label: string) => boolean): { label: string; why: string }[];
  howTo: readonly { title: string; text: string }[];
}
