import { Button, Group, Loader, SegmentedControl, Slider, Text } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { CircleAlert, Radio } from "lucide-react";
import { useMemo } from "react";
import { useWorld } from "../../api/queries";
import { useWorldScene } from "../../renderers/ui/useWorldScene";
import { WorldView } from "../../renderers/ui/WorldView";
import { StateMessage } from "../../shared/states/StateMessage";
import classes from "../operate.module.css";
import { sceneOf } from "../state/scene";
import { usePaced } from "../state/usePaced";
import type { Rewinding } from "../state/useRewind";

const PACES = [
  { value: "0", label: "hold" },
  { value: "1", label: "1×" },
  { value: "4", label: "4×" },
  { value: "16", label: "16×" },
];

interface Props {
  world: string;
  rewinding: Rewinding;
  subject: string | null;
  onSubject: (subject: string) => void;
}

/** The world as it is drawn everywhere, now or a while ago. */
export function LivePicture({ world, rewinding, subject, onSubject }: Props) {
  const descriptor = useWorld(world);
  const scene = useWorldScene(descriptor.data);
  const isStill = useReducedMotion() || !rewinding.isLive;
  const block = usePaced(rewinding.shown?.state.scene);
  const state = useMemo(() => sceneOf(block), [block]);
  const view = useMemo(
    () => (state === null ? null : { state, subject, reducedMotion: isStill }),
    [state, subject, isStill],
  );
  const failure = descriptor.error ?? scene.error;
  if (failure !== null) {
    return (
      <StateMessage icon={CircleAlert} tone="bad" title="The picture is missing" hint={failure.message} isCompact />
    );
  }
  return (
    <section className="case" aria-label="Picture">
      <div className={classes.picture}>
        {descriptor.data === undefined || scene.data === undefined ? (
          <Loader role="status" aria-label="Loading the picture" />
        ) : (
          <WorldView scene={scene.data} descriptor={descriptor.data} pilot="agent" view={view} onSubject={onSubject} />
        )}
      </div>
      <Group gap="sm" px="md" py="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" className="tabular" miw={84}>
          tick {rewinding.shown?.tick ?? 0}
        </Text>
        <Slider
          className={classes.scrub}
          size="sm"
          label={null}
          min={0}
          max={Math.max(1, rewinding.length - 1)}
          value={rewinding.index}
          onChange={rewinding.lookAt}
          thumbLabel="Look back"
        />
        {!rewinding.isLive && (
          <SegmentedControl
            size="xs"
            aria-label="Play what was"
            data={PACES}
            value={String(rewinding.pace)}
            onChange={(pace) => rewinding.play(Number(pace))}
          />
        )}
        <Button
          size="compact-xs"
          variant={rewinding.isLive ? "light" : "filled"}
          disabled={rewinding.isLive}
          leftSection={<Radio size={12} aria-hidden />}
          onClick={rewinding.goLive}
        >
          {rewinding.isLive ? "Now" : "Back to now"}
        </Button>
      </Group>
    </section>
  );
}
