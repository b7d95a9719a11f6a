import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Clapperboard, Telescope } from "lucide-react";
import { Link } from "wouter";
import { watchAddress } from "../../watch/state/deepLink";
import { campaignKeys, isUnderWay, type Recording, recordBattle } from "../state/calls";
import classes from "./WatchBattle.module.css";

interface Props {
  id: string;
  recording: Recording;
  size?: "compact-xs" | "sm";
}

/** Leads to the replay of a battle, or has it recorded. */
export function WatchBattle({ id, recording, size = "compact-xs" }: Props) {
  const client = useQueryClient();
  const record = useMutation({
    mutationFn: () => recordBattle(id, recording.battle_id),
    onSettled: () => client.invalidateQueries({ queryKey: campaignKeys.one(id) }),
  });
  if (recording.replay_id !== null) {
    const href = watchAddress({ run: recording.run_id, replay: recording.replay_id }, 0);
    return (
      <Button
        component={Link}
        href={href}
        size={size}
        variant="light"
        leftSection={<Telescope size={14} aria-hidden />}
      >
        Watch the battle
      </Button>
    );
  }
  if (isUnderWay(recording)) {
    const minutes = Math.floor(recording.steps / 60);
    return (
      <output className={classes.recording}>
        {recording.steps === 0 ? "Recording soon…" : `Recording… ${minutes} min of battle`}
      </output>
    );
  }
  return (
    <Button
      size={size}
      variant="default"
      leftSection={<Clapperboard size={14} aria-hidden />}
      loading={record.isPending}
      title={recording.problem ?? undefined}
      onClick={() => record.mutate()}
    >
      {recording.status === "failed" ? "Record it again" : "Record it to watch"}
    </Button>
  );
}
