import { Badge, Switch } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { ReplayEntry } from "../../api/types";
import { useFollow } from "../../shared/useFollow";
import { watchAddress } from "../state/deepLink";

interface Props {
  runId: string;
  isTraining: boolean;
  newest: ReplayEntry | undefined;
}

/** Follows a run in training: its new replays join the list, and the newest is shown if wanted. */
export function LiveFollow({ runId, isTraining, newest }: Props) {
  const [, go] = useLocation();
  const [isJumping, setJumping] = useState(false);
  const state = useFollow(isTraining ? runId : null);
  const newestId = newest?.replay_id;
  const seen = useRef(newestId);

  useEffect(() => {
    const isNew = newestId !== undefined && seen.current !== undefined && seen.current !== newestId;
    seen.current = newestId;
    if (isNew && isJumping) {
      go(watchAddress({ run: runId, replay: newestId }, 0));
    }
  }, [newestId, isJumping, runId, go]);

  if (!isTraining) {
    return null;
  }
  return (
    <>
      <Badge color="lamp" variant="dot" size="lg" tt="none" data-testid="live-badge">
        {state === "off" ? "running" : `running · ${state}`}
      </Badge>
      <Switch
        label="Show each new replay"
        checked={isJumping}
        onChange={(event) => setJumping(event.currentTarget.checked)}
      />
    </>
  );
}
