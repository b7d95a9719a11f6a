import { type Cue, entriesOf, isNone, type ManifestSet } from "../manifests";
import { playTone } from "./tone";

/** The same cue is not started again sooner than this, so that fast playback stays bearable. */
const REPEAT_MS = 110;

/** Plays the cues of a world: its files, or a plain tone where the browser blocks or cannot read them. */
export class SoundBoard {
  readonly #manifests: ManifestSet;
  readonly #buffers = new Map<string, Promise<AudioBuffer | null>>();
  readonly #lastStarted = new Map<string, number>();
  #context: AudioContext | null = null;
  #isOn = false;

  constructor(manifests: ManifestSet) {
    this.#manifests = manifests;
  }

  /** Switches sound on or off; browsers let it start only after a click or a key. */
  setOn(isOn: boolean): void {
    this.#isOn = isOn;
    if (isOn && this.#context?.state === "suspended") {
      void this.#context.resume();
    }
  }

  /** Plays what a step sounds like. */
  playStep(options: readonly number[], events: readonly string[]): void {
    for (const key of new Set(entriesOf(this.#manifests.effects, options, events).map((entry) => entry.cue))) {
      this.play(key);
    }
  }

  play(key: string): void {
    const cue = this.#manifests.audio.cues[key];
    const now = performance.now();
    if (
      !this.#isOn ||
      cue === undefined ||
      isNone(key) ||
      now - (this.#lastStarted.get(key) ?? -REPEAT_MS) < REPEAT_MS
    ) {
      return;
    }
    this.#lastStarted.set(key, now);
    void this.#start(key, cue);
  }

  close(): void {
    void this.#context?.close();
    this.#context = null;
  }

  async #start(key: string, cue: Cue): Promise<void> {
    this.#context ??= new AudioContext();
    const context = this.#context;
    const volume = cue.volume * (this.#manifests.audio.groups[cue.group]?.volume ?? 1);
    const buffer = await this.#buffer(key, cue, context);
    if (context.state === "closed") {
      return;
    }
    const gain = new GainNode(context, { gain: volume });
    gain.connect(context.destination);
    if (buffer === null) {
      playTone(context, gain, cue);
      return;
    }
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(gain);
    source.start();
  }

  #buffer(key: string, cue: Cue, context: AudioContext): Promise<AudioBuffer | null> {
    const known = this.#buffers.get(key);
    if (known !== undefined) {
      return known;
    }
    const file = `${this.#manifests.audioBase}${this.#manifests.audio.groups[cue.group]?.basePath ?? ""}${cue.files[0]}`;
    const loading = fetch(file)
      .then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new Error(`${response.status}`))))
      .then((bytes) => context.decodeAudioData(bytes))
      .catch(() => null);
    this.#buffers.set(key, loading);
    return loading;
  }
}
