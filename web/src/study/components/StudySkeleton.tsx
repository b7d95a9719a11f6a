import { Skeleton, Stack } from "@mantine/core";
import classes from "../study.module.css";

export function StudySkeleton() {
  return (
    <div className={classes.page} aria-busy="true" role="status" aria-label="Loading the runs">
      <Skeleton h={480} radius="lg" />
      <Stack>
        <Skeleton h={60} radius="lg" />
        <Skeleton h={86} radius="lg" />
        <div className={classes.chartGrid}>
          {["return", "headline", "reward", "risk", "loss", "speed"].map((chart) => (
            <Skeleton key={chart} h={230} radius="lg" />
          ))}
        </div>
      </Stack>
    </div>
  );
}
