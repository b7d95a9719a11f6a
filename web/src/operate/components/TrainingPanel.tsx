import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Sparkline } from "../../shared/charts/Sparkline";
import { formatNumber } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import { QueryError } from "../../shared/states/QueryError";
import classes from "../operate.module.css";
import { trainingQuery } from "../state/training";

const CURVES = [
  ["loss_policy", "Policy loss"],
  ["loss_value", "Value loss"],
  ["loss_entropy", "Entropy"],
  ["kl_divergence", "KL divergence"],
  ["grad_norm", "Gradient norm"],
  ["baseline_reward_mean", "Reward"],
  ["anneal_ratio", "Anneal ratio"],
  ["anneal_bc_accuracy", "Clone accuracy"],
] as const;

/** How the policy that runs was trained. */
export function TrainingPanel({ base, id, token }: { base: string; id: string; token: string | null }) {
  const training = useQuery(trainingQuery(base, id, token));
  const records = training.data?.records ?? [];
  const shown = CURVES.filter(([key]) => records.some((record) => typeof record[key] === "number"));
  return (
    <Panel title="Training" note={training.data?.run_id ?? undefined}>
      {training.error !== null && (
        <QueryError error={training.error} what="the training" onRetry={() => void training.refetch()} />
      )}
      {training.data !== undefined && shown.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          The policy that runs is scripted, or its training left no record here.
        </Text>
      )}
      <div className={classes.tiles}>
        {shown.map(([key, title]) => {
          const values = records.map((record) => (typeof record[key] === "number" ? (record[key] as number) : null));
          return (
            <div key={key} className={classes.tile}>
              <span className="overline">{title}</span>
              <strong className="tabular">{formatNumber(values.findLast((value) => value !== null))}</strong>
              <Sparkline label={`${title} over the training`} values={values} />
            </div>
          );
        })}
      </div>
    </Panel>
  );
}
