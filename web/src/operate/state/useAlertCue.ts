import { useEffect, useRef } from "react";
import { objectAt } from "./json";
import type { LiveView } from "./LiveStore";

const PITCH_HZ = 660;
const LENGTH_S = 0.25;
const LOUDEST = 0.2;

/** Sounds once for every alert that is raised, as loud as a volume of 0 to 1 says; 0 is silence. */
export function useAlertCue(view: LiveView | null, volume: number): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (view === null) {
      return;
    }
    const raised = new Set(Object.keys(objectAt(view.state.stability, "alerts")));
    const before = known.current;
    known.current = raised;
    if (volume > 0 && before !== null && [...raised].some((name) => !before.has(name))) {
      sound(volume);
    }
  }, [view, volume]);
}

function sound(loudness: number): void {
  const context = new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = PITCH_HZ;
  volume.gain.setValueAtTime(LOUDEST * loudness, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + LENGTH_S);
  tone.connect(volume).connect(context.destination);
  tone.onended = () => void context.close();
  tone.start();
  tone.stop(context.currentTime + LENGTH_S);
}
