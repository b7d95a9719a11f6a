import { Button, Group, Tooltip } from "@mantine/core";
import { CircleStop, Plus, RotateCcw, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./Play.module.css";

interface Props {
  undoAvailable: number;
  onNew: () => void;
  onReset: () => void;
  onEnd: () => void;
  onUndo: () => void;
  /** The buttons by which time passes. */
  time: ReactNode;
  children?: ReactNode;
}

/** The session's own buttons, beside the actions of the world. */
export function Toolbar({ undoAvailable, onNew, onReset, onEnd, onUndo, time, children }: Props) {
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Session">
      <Group gap={6}>
        <Tooltip label="A new world with another seed">
          <Button variant="default" size="sm" leftSection={<Plus size={15} aria-hidden />} onClick={onNew}>
            New
          </Button>
        </Tooltip>
        <Tooltip label="The same world from its start">
          <Button variant="default" size="sm" leftSection={<RotateCcw size={15} aria-hidden />} onClick={onReset}>
            Reset
          </Button>
        </Tooltip>
        <Tooltip label="End the session">
          <Button variant="default" size="sm" leftSection={<CircleStop size={15} aria-hidden />} onClick={onEnd}>
            End
          </Button>
        </Tooltip>
        <Tooltip
          label={undoAvailable > 0 ? `Take back the last decision; ${undoAvailable} left` : "Nothing to take back"}
        >
          <Button
            variant="default"
            size="sm"
            leftSection={<Undo2 size={15} aria-hidden />}
            disabled={undoAvailable === 0}
            onClick={onUndo}
            data-testid="undo"
          >
            Undo
          </Button>
        </Tooltip>
      </Group>
      {time}
      <Group gap={6} ml="auto">
        {children}
      </Group>
    </div>
  );
}
