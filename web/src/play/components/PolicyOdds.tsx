import { Text } from "@mantine/core";
import { formatNumber, formatWholePercent } from "../../shared/format";
import type { Advice } from "../state/advice";
import classes from "./Play.module.css";

const SHOWN = 5;
const LEAST = 0.005;

interface Props {
  advice: Advice;
  titleOf: (action: number) => string;
}

/** What a policy would do, likeliest first, and what it expects. */
export function PolicyOdds({ advice, titleOf }: Props) {
  const best = (advice.probabilities ?? [])
    .map((probability, action) => ({ probability, action }))
    .filter(({ probability }) => probability >= LEAST)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, SHOWN);
  return (
    <>
      {advice.error !== null && (
        <Text size="sm" c="var(--dio-bad)" mt={8}>
          {advice.error}
        </Text>
      )}
      {best.length > 0 && (
        <ul className={classes.odds} data-testid="hint-odds">
          {best.map(({ probability, action }) => (
            <li key={action}>
              <span>{titleOf(action)}</span>
              <b>{formatWholePercent(probability)}</b>
              <i style={{ width: `${probability * 100}%` }} />
            </li>
          ))}
        </ul>
      )}
      {advice.value !== null && (
        <Text size="xs" c="dimmed" mt={6}>
          Expected return from here: {formatNumber(advice.value)}
        </Text>
      )}
    </>
  );
}
