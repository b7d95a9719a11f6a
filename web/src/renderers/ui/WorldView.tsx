import { useComputedColorScheme } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Descriptor, Role, View, WorldRenderer } from "../renderer";
import type { WorldScene } from "./useWorldScene";
import classes from "./WorldView.module.css";

interface Props {
  scene: WorldScene;
  descriptor: Descriptor;
  pilot: Role;
  view: View | null;
  onPick?: (label: string) => void;
  /** Laid over the picture: badges, banners, loading marks. */
  children?: ReactNode;
}

/** The picture of a world, kept at the size of its frame; its words stand in for it where it cannot be seen. */
export function WorldView({ scene, descriptor, pilot, view, onPick, children }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const renderer = useRef<WorldRenderer | null>(null);
  const latest = useRef({ view, onPick });
  latest.current = { view, onPick };
  const [failure, setFailure] = useState<string | null>(null);
  const theme = useComputedColorScheme("dark");

  useEffect(() => {
    const element = host.current;
    if (element === null) {
      return;
    }
    const mounted = scene.module.createRenderer();
    let isCurrent = true;
    const options = {
      theme,
      descriptor,
      manifests: scene.manifests,
      role: pilot,
      onPick: (label: string) => latest.current.onPick?.(label),
    };
    mounted
      .mount(element, options)
      .then(() => {
        if (isCurrent) {
          renderer.current = mounted;
          setFailure(null);
          if (latest.current.view !== null) {
            mounted.show(latest.current.view);
          }
        }
      })
      .catch((reason: unknown) => isCurrent && setFailure(reason instanceof Error ? reason.message : String(reason)));
    const sizes = new ResizeObserver(() => mounted.resize());
    sizes.observe(element);
    return () => {
      isCurrent = false;
      renderer.current = null;
      sizes.disconnect();
      mounted.destroy();
    };
  }, [scene, descriptor, pilot, theme]);

  useEffect(() => {
    if (view !== null) {
      renderer.current?.show(view);
    }
  }, [view]);

  const words = view === null ? "Nothing to show yet" : scene.module.describe(view.state);
  return (
    <div className={classes.frame}>
      <div ref={host} className={classes.canvas} role="img" aria-label={words} data-testid="viewport" />
      {failure !== null && (
        <div className={classes.fallback} role="alert">
          <strong>The picture cannot be drawn here.</strong> <span>{failure}</span>
          <p>{words}</p>
        </div>
      )}
      {children}
    </div>
  );
}
