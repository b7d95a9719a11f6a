import { memo, useMemo } from "react";
import type { Diary, Past } from "../../renderers/diary";
import type { RenderState } from "../../renderers/renderer";
import type { WorldScene } from "../../renderers/sceneQuery";

const NOTHING: Past = { notes: [], isWhole: false };

interface Props {
  scene: WorldScene;
  state: RenderState;
  /** What is remembered of the replay; absent where the world remembers nothing or nothing is loaded yet. */
  diary: Diary | null | undefined;
  /** The moment on screen: so many decisions have been taken. */
  moment: number;
  /** Diaries grow in place; the version tells when they did. */
  version: number;
}

/** The panels of a world at a moment of a replay. */
export const ReplayPanels = memo(function ReplayPanels({
  scene: { module, manifests },
  state,
  diary,
  moment,
  version,
}: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const past = useMemo(() => diary?.upTo(moment) ?? NOTHING, [diary, moment, version]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const whole = useMemo(() => diary?.all() ?? NOTHING, [diary, version]);
  const { Panels } = module;
  return Panels === undefined ? null : <Panels state={state} past={past} whole={whole} manifests={manifests} />;
});
