import { Button, Tooltip } from "@mantine/core";
import { Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import type { Idea } from "../state/useIdeas";
import classes from "./Play.module.css";

interface Props {
  isOver: boolean;
  ideas: readonly Idea[];
  isBusy: boolean;
  onAct: (actions: readonly number[]) => void;
  children?: ReactNode;
}

/** What a newcomer might do next; one click does it. */
export function Suggestions({ isOver, ideas, isBusy, onAct, children }: Props) {
  if (isOver) {
    return (
      <div className={`case ${classes.suggestions}`}>
        <span className={classes.why}>The run is over. Start another one, or take the last decision back.</span>
        {children}
      </div>
    );
  }
  return (
    <div className={`case ${classes.suggestions}`} data-testid="suggestions">
      <span className={classes.suggestionsTitle}>
        <Sparkles size={15} aria-hidden /> Try next
      </span>
      {ideas.map((idea, place) => (
        <Tooltip key={idea.title} label={idea.why}>
          <Button
            size="compact-sm"
            variant={place === 0 ? "filled" : "light"}
            color="lamp"
            aria-disabled={isBusy}
            onClick={() => onAct(idea.actions)}
          >
            {idea.title}
          </Button>
        </Tooltip>
      ))}
      <span className={classes.why}>{ideas[0]?.why ?? "Choose any action of the deck"}</span>
      {children}
    </div>
  );
}
