import type { Cue, SynthLayer } from "../manifests";

const WAVES = { sine: "sine", triangle: "triangle", square: "square", saw: "sawtooth" } as const;

/** Plays the pitched layers of a recipe, for browsers that block the file of a cue. */
export function playTone(context: AudioContext, output: AudioNode, cue: Cue): void {
  for (const layer of cue.synth?.layers ?? []) {
    if (layer.wave !== "noise") {
      playLayer(context, output, layer, WAVES[layer.wave]);
    }
  }
}

function playLayer(context: AudioContext, output: AudioNode, layer: SynthLayer, type: OscillatorType): void {
  const start = context.currentTime + (layer.at ?? 0);
  const stop = start + layer.seconds;
  const voice = new OscillatorNode(context, { type, frequency: layer.from });
  const loudness = new GainNode(context, { gain: 0.4 * (layer.gain ?? 1) });
  voice.frequency.exponentialRampToValueAtTime(layer.to, stop);
  loudness.gain.setValueAtTime(0.4 * (layer.gain ?? 1), start);
  loudness.gain.exponentialRampToValueAtTime(0.001, stop);
  voice.connect(loudness).connect(output);
  voice.start(start);
  voice.stop(stop);
}
