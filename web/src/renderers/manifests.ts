import { apiUrl } from "../api/base";

export type Cut = readonly [number, number, number, number];

export interface GraphicsManifest {
  version: number;
  /** Sheets that hold many pictures each, by name. */
  atlases: Record<string, string>;
  /** `frame` is where the picture lies on its sheet: x, y, width and height. */
  frames: Record<string, { path: string | null; atlas: string | null; frame: Cut | null }>;
  backgrounds: Record<string, { path: string; type: string }>;
  fonts: Record<string, { family: string; fallback: string }>;
  colors: Record<string, string>;
}

export interface SynthLayer {
  wave: "sine" | "triangle" | "square" | "saw" | "noise";
  from: number;
  to: number;
  seconds: number;
  at?: number;
  gain?: number;
}

export interface Cue {
  group: string;
  files: readonly string[];
  synth: { layers: readonly SynthLayer[] } | null;
  volume: number;
}

export interface AudioManifest {
  version: number;
  groups: Record<string, { basePath: string; volume: number }>;
  cues: Record<string, Cue>;
}

export interface EffectEntry {
  vfx: string;
  cue: string;
}

export interface EffectsManifest {
  version: number;
  actions: readonly (EffectEntry & { id: number })[];
  events: Record<string, EffectEntry>;
}

export interface ManifestSet {
  graphics: GraphicsManifest;
  audio: AudioManifest;
  effects: EffectsManifest;
  /** Address of the folder the paths of each manifest start from. */
  graphicsBase: string;
  audioBase: string;
}

export interface PresentationUrls {
  graphics: string;
  audio: string;
  effects: string;
}

/** What a world has that comes with no pictures or sounds. */
export const NO_MANIFESTS: ManifestSet = {
  graphics: { version: 1, atlases: {}, frames: {}, backgrounds: {}, fonts: {}, colors: {} },
  audio: { version: 1, groups: {}, cues: {} },
  effects: { version: 1, actions: [], events: {} },
  graphicsBase: "",
  audioBase: "",
};

/** Loads the three manifests of a world. */
export async function loadManifests(urls: PresentationUrls, signal?: AbortSignal): Promise<ManifestSet> {
  const [graphics, audio, effects] = await Promise.all([
    fetchJson<GraphicsManifest>(urls.graphics, signal),
    fetchJson<AudioManifest>(urls.audio, signal),
    fetchJson<EffectsManifest>(urls.effects, signal),
  ]);
  return { graphics, audio, effects, graphicsBase: folderOf(urls.graphics), audioBase: folderOf(urls.audio) };
}

/** Where a picture is fetched from: a file of its own, or a place on a sheet. */
export interface PictureSource {
  key: string;
  path: string;
  cut: Cut | null;
}

/** Returns every picture a world has; sheets spare a request for each. */
export function picturesOf({ atlases, frames, backgrounds }: GraphicsManifest): PictureSource[] {
  const alone = Object.entries(backgrounds).map(([key, { path }]) => ({ key, path, cut: null }));
  const framed = Object.entries(frames).flatMap(([key, { path, atlas, frame }]): PictureSource[] => {
    const sheet = atlas === null ? undefined : atlases[atlas];
    if (sheet !== undefined && frame !== null) {
      return [{ key, path: sheet, cut: frame }];
    }
    return path === null ? [] : [{ key, path, cut: null }];
  });
  return [...alone, ...framed];
}

/** Returns the address of a picture that has a file of its own; null where there is none of that key. */
export function pictureUrl({ graphics, graphicsBase }: ManifestSet, key: string): string | null {
  const path = graphics.frames[key]?.path ?? null;
  return path === null ? null : `${graphicsBase}${path}`;
}

/** Returns the effect entries of a step: its options first, by their indices over all heads, then its events. */
export function entriesOf(
  effects: EffectsManifest,
  options: readonly number[],
  events: readonly string[],
): EffectEntry[] {
  const byId = options.map((id) => effects.actions.find((entry) => entry.id === id));
  // An action that was refused did not happen, so only its warning is shown.
  const done = events.includes("invalid_action") ? [] : byId;
  return [...done, ...events.map((name) => effects.events[name])].filter((entry) => entry !== undefined);
}

export function isNone(key: string): boolean {
  return key.endsWith(".none");
}

function folderOf(url: string): string {
  return apiUrl(url.slice(0, url.lastIndexOf("/") + 1));
}

async function fetchJson<T>(url: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(apiUrl(url), { signal });
  if (!response.ok) {
    throw new Error(`${url} answered ${response.status}; the pictures of this world cannot be drawn without it`);
  }
  return (await response.json()) as T;
}
