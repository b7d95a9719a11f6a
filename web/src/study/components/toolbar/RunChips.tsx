import { CloseButton, Group, UnstyledButton } from "@mantine/core";
import { StatusBadge } from "../../../shared/run/StatusBadge";
import { shownStatus } from "../../../shared/run/shownStatus";
import { useNow } from "../../../shared/useNow";
import type { StudyRun } from "../../state/useStudyRuns";
import type { ChangeSelection } from "../../state/useStudySelection";
import classes from "../../study.module.css";

interface Props {
  runs: readonly StudyRun[];
  focus: StudyRun;
  change: ChangeSelection;
}

/** The legend of all curves; a click focuses a run, the cross takes it away. */
export function RunChips({ runs, focus, change }: Props) {
  const now = useNow();
  const ids = runs.map((run) => run.id);
  return (
    <Group gap={8} miw={0} flex="1 1 240px" role="group" aria-label="Chosen runs">
      {runs.map((run) => (
        <span key={run.id} className={classes.chip} data-focus={runs.length > 1 && run === focus}>
          <span className={classes.swatch} style={{ background: run.color }} aria-hidden="true" />
          <UnstyledButton
            className={classes.chipName}
            aria-pressed={run === focus}
            title={`Show the details of ${run.id}`}
            onClick={() => change({ runs: ids, focus: run.id })}
          >
            {run.id}
          </UnstyledButton>
          {run.row?.status === "running" && <StatusBadge status={shownStatus(run.row, now)} />}
          <CloseButton
            size="xs"
            aria-label={`Remove ${run.id}`}
            onClick={() => change({ runs: ids.filter((id) => id !== run.id) })}
          />
        </span>
      ))}
    </Group>
  );
}
