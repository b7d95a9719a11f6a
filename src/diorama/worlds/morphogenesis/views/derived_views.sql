-- Views that stand on others. Each ends with a semicolon.

-- How many epochs a slot spent in which stage, and what share of its episode that is.
CREATE VIEW phase_occupancy AS
WITH seen AS (
  SELECT group_id, env_id, episode_idx, seed.key AS slot_id, json_extract(seed.value, '$.stage') AS stage
  FROM epochs, json_each(epochs.seeds) AS seed
), lasted AS (
  SELECT group_id, env_id, episode_idx, count(*) AS episode_epochs FROM epochs GROUP BY group_id, env_id, episode_idx
)
SELECT group_id, env_id, episode_idx, slot_id, stage, count(*) AS epochs, 1.0 * count(*) / episode_epochs AS share
FROM seen JOIN lasted USING (group_id, env_id, episode_idx)
GROUP BY group_id, env_id, episode_idx, slot_id, stage;

-- What makes groups hard to compare: other settings, resumes, rollbacks, what an operator did, short memory.
CREATE VIEW run_confounders AS
SELECT
  group_id,
  (SELECT count(DISTINCT task || '/' || reward_mode || '/' || seed) FROM runs
   WHERE runs.group_id = raw_events.group_id) AS settings,
  sum(event_type = 'CHECKPOINT_LOADED') AS resumes,
  sum(event_type = 'GOVERNOR_ROLLBACK') AS rollbacks,
  sum(event_type = 'EPISODE_OUTCOME') AS episodes,
  sum(event_type = 'EPISODE_OUTCOME' AND json_extract(data, '$.outcome_type') = 'early_termination') AS cut_short,
  sum(event_type = 'SEED_PRUNED' AND json_extract(data, '$.initiator') = 'operator') AS operator_prunes,
  sum(event_type = 'MEMORY_WARNING') AS memory_warnings,
  sum(event_type = 'REWARD_HACKING_SUSPECTED') AS suspicions
FROM raw_events
GROUP BY group_id;

-- What an episode was paid beside what it brought.
CREATE VIEW reward_calibration AS
WITH paid AS (
  SELECT group_id, env_id, episode_idx, sum(bounded_attribution) AS attribution, sum(compute_rent) AS rent
  FROM rewards GROUP BY group_id, env_id, episode_idx
)
SELECT
  group_id, env_id, episode_idx, reward_mode, episode_reward, final_accuracy, control_accuracy,
  final_accuracy - control_accuracy AS gain_over_control, param_ratio, attribution, rent
FROM episode_outcomes LEFT JOIN paid USING (group_id, env_id, episode_idx);
