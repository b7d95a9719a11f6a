import { useComputedColorScheme } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { mountRenderer } from "../mountRenderer";
import type { Descriptor, Role, ToolChoices, View, WorldRenderer } from "../renderer";
import type { WorldScene } from "../sceneQuery";
import { PictureTools } from "./PictureTools";
import { useToolChoices } from "./useToolChoices";
import classes from "./WorldView.module.css";

interface Props {
  scene: WorldScene;
  descriptor: Descriptor;
  pilot: Role;
  view: View | null;
  onPick?: (key: string) => void;
  onSubject?: (key: string) => void;
  /** Called when the picture is there, or when it is known that it cannot be drawn. */
  onReady?: () => void;
  /** Choices of the picture's tools that are made elsewhere on the page; the bar of tools is left out then. */
  fixed?: ToolChoices;
  /** Laid over the picture: badges, banners, loading marks. */
  children?: ReactNode;
}

/** The picture of a world, kept at the size of its frame; its words stand in for it where it cannot be seen. */
export function WorldView({ scene, descriptor, pilot, view, onPick, onSubject, onReady, fixed, children }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const renderer = useRef<WorldRenderer | null>(null);
  const tools = view === null || fixed !== undefined ? [] : (scene.module.tools?.(view.state, pilot) ?? []);
  const { choices: chosen, choose } = useToolChoices(tools);
  const choices = fixed ?? chosen;
  const latest = useRef({ view, choices, onPick, onSubject, onReady });
  latest.current = { view, choices, onPick, onSubject, onReady };
  const [failure, setFailure] = useState<string | null>(null);
  // Known from the start: a scheme that is corrected after the first render would mount the picture twice.
  const theme = useComputedColorScheme("dark", { getInitialValueInEffect: false });

  useEffect(() => {
    const element = host.current;
    if (element === null) {
      return;
    }
    const leaving = new AbortController();
    const options = {
      theme,
      descriptor,
      manifests: scene.manifests,
      role: pilot,
      onPick: (key: string) => latest.current.onPick?.(key),
      onSubject: (key: string) => latest.current.onSubject?.(key),
    };
    mountRenderer(scene.module, element, options, leaving.signal)
      .then((mounted) => {
        if (mounted !== null) {
          renderer.current = mounted;
          setFailure(null);
          mounted.apply?.(latest.current.choices);
          if (latest.current.view !== null) {
            mounted.show(latest.current.view);
          }
        }
      })
      .catch(
        (reason: unknown) =>
          leaving.signal.aborted || setFailure(reason instanceof Error ? reason.message : String(reason)),
      )
      .finally(() => latest.current.onReady?.());
    const sizes = new ResizeObserver(() => renderer.current?.resize());
    sizes.observe(element);
    return () => {
      leaving.abort();
      renderer.current = null;
      sizes.disconnect();
    };
  }, [scene, descriptor, pilot, theme]);

  useEffect(() => renderer.current?.apply?.(choices), [choices]);
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
      {tools.length > 0 && (
        <PictureTools
          tools={tools}
          choices={choices}
          onChoose={choose}
          onPress={(key) => renderer.current?.press?.(key)}
        />
      )}
      {children}
    </div>
  );
}
