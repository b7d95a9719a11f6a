import { ActionIcon, Select, Text } from "@mantine/core";
import { Pause, Play } from "lucide-react";
import { useState } from "react";
import { Panel } from "../../shared/Panel";
import classes from "../operate.module.css";
import type { LiveView } from "../state/LiveStore";
import type { Narration } from "../state/messages";

interface Props {
  view: LiveView;
  onTick: (tick: number) => void;
}

/** What happens, in sentences; the newest first. */
export function StoryFeed({ view, onTick }: Props) {
  const [category, setCategory] = useState<string | null>(null);
  const [held, setHeld] = useState<readonly Narration[] | null>(null);
  const categories = [...new Set(view.narrations.map((story) => story.category))].sort();
  const shown = (held ?? view.narrations).filter((story) => category === null || story.category === category);
  return (
    <Panel
      title="Stories"
      action={
        <div className={classes.tools}>
          <Select
            size="xs"
            w={170}
            clearable
            placeholder="All kinds"
            aria-label="Kind of story"
            data={categories.map((value) => ({ value, label: value.replaceAll("_", " ") }))}
            value={category}
            onChange={setCategory}
          />
          <ActionIcon
            variant="default"
            aria-label={held === null ? "Hold the stories" : "Go on with the stories"}
            onClick={() => setHeld(held === null ? view.narrations : null)}
          >
            {held === null ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
          </ActionIcon>
        </div>
      }
    >
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nothing worth telling yet.
        </Text>
      ) : (
        <ol className={classes.feed} aria-label="Stories" data-testid="stories">
          {shown.toReversed().map((story, index) => (
            <li key={`${story.tick}-${index}`} data-priority={story.priority || undefined}>
              <button type="button" className={classes.tickLink} onClick={() => onTick(story.tick)}>
                {story.tick}
              </button>{" "}
              {story.message}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
