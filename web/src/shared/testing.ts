import type { ReplayEntry, RunRow, WindowRow } from "../api/types";

/** Rows for tests: complete, with only what matters to the test spelled out. */
export function windowRow(given: Partial<WindowRow> & { window_id: number }): WindowRow {
  const end = (given.window_id + 1) * 100;
  return {
    schema_version: 1,
    run_id: "run",
    world: "prospector",
    window_complete: true,
    env_steps_start: end - 100,
    env_steps_end: end,
    env_steps_in_window: 100,
    env_steps_total: end,
    agent_steps_in_window: 100,
    agent_steps_total: end,
    ticks_in_window: 100,
    ticks_total: end,
    episodes_completed: 4,
    terminated_episodes: 4,
    truncated_episodes: 0,
    reward_sum: 0,
    reward_mean: 0,
    return_mean: 0,
    return_median: 0,
    return_std: 0,
    episode_length_mean: 25,
    invalid_action_rate: 0,
    end_reason_counts: {},
    wall_seconds: 2,
    steps_per_sec: 50,
    created_at: "2026-01-01T00:00:00.000Z",
    ...given,
  } as WindowRow;
}

export function runRow(given: Partial<RunRow> & { run_id: string }): RunRow {
  return {
    world: "prospector",
    status: "completed",
    trainer_backend: "ppo",
    env_steps_total: 1000,
    windows_emitted: 10,
    checkpoints_written: 1,
    latest_window: null,
    latest_checkpoint: null,
    latest_replay: null,
    replay_count: 0,
    wandb_run_url: null,
    updated_at: "2026-01-01T00:00:00.000Z",
    started_at: "2026-01-01T00:00:00.000Z",
    finished_at: null,
    tags: [],
    problem: null,
    ...given,
  };
}

export function replayEntry(given: Partial<ReplayEntry> & { replay_id: string }): ReplayEntry {
  return {
    run_id: "run",
    world: "prospector",
    window_id: 0,
    replay_path: `replays/${given.replay_id}.jsonl.gz`,
    meta_path: `replays/${given.replay_id}.meta.json`,
    checkpoint_path: null,
    tags: ["every_window"],
    trainer_backend: "ppo",
    seed: 0,
    return_total: 0,
    steps: 10,
    ticks: 10,
    metrics: {},
    terminated: true,
    truncated: false,
    end_reason: null,
    checkpoint_env_steps_total: null,
    created_at: "2026-01-01T00:00:00.000Z",
    ...given,
  } as ReplayEntry;
}
