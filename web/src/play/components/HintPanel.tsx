import { Select, Text } from "@mantine/core";
import type { RunRow } from "../../api/types";
import { formatNumber } from "../../shared/format";
import type { HintView } from "../state/useHint";
import classes from "./Play.module.css";

const SHOWN = 5;

interface Props {
  runs: readonly RunRow[];
  policy: string | null;
  onPolicy: (run: string | null) => void;
  hint: HintView;
  titleOf: (action: number) => string;
}

/** Asks a trained policy what it would do, and shows its probabilities. */
export function HintPanel({ runs, policy, onPolicy, hint, titleOf }: Props) {
  const best = (hint.probabilities ?? [])
    .map((probability, action) => ({ probability, action }))
    .filter(({ probability }) => probability >= 0.005)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, SHOWN);
  return (
    <section className={`case ${classes.panel}`} aria-label="Hint">
      <h2 className="overline">Hint from a policy</h2>
      <Select
        aria-label="Policy to ask"
        placeholder={runs.length === 0 ? "No trained run yet" : "Off; choose a run"}
        data={runs.map((run) => run.run_id)}
        value={policy}
        onChange={onPolicy}
        disabled={runs.length === 0}
        clearable
        searchable
        data-testid="hint-policy"
      />
      {hint.error !== null && (
        <Text size="sm" c="var(--dio-bad)" mt={8}>
          {hint.error}
        </Text>
      )}
      {best.length > 0 && (
        <ul className={classes.odds} data-testid="hint-odds">
          {best.map(({ probability, action }) => (
            <li key={action}>
              <span>{titleOf(action)}</span>
              <b>{Math.round(probability * 100)} %</b>
              <i style={{ width: `${probability * 100}%` }} />
            </li>
          ))}
        </ul>
      )}
      {hint.value !== null && (
        <Text size="xs" c="dimmed" mt={6}>
          Expected return from here: {formatNumber(hint.value)}
        </Text>
      )}
    </section>
  );
}
