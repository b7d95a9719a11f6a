import { useQuery } from "@tanstack/react-query";
import { Sprout } from "lucide-react";
import { useMemo } from "react";
import { runsQuery } from "../api/queries";
import { PageName } from "../shared/PageName";
import { useShortcutSection } from "../shared/shortcuts/registry";
import { NoRuns } from "../shared/states/NoRuns";
import { QueryError } from "../shared/states/QueryError";
import { useSelectedWorld } from "../shared/world/useSelectedWorld";
import { BODY_ID, RunPanel } from "./components/runs/RunPanel";
import { StudyBody } from "./components/StudyBody";
import { StudySkeleton } from "./components/StudySkeleton";
import { STUDY_SHORTCUTS } from "./shortcuts";
import { firstToStudy } from "./state/firstToStudy";
import { useStudySelection } from "./state/useStudySelection";
import classes from "./study.module.css";

/** Study: what runs came to, alone or laid over each other. */
export default function StudyPage() {
  useShortcutSection(STUDY_SHORTCUTS);
  return (
    <>
      <PageName name="Study" />
      <Studying />
    </>
  );
}

function Studying() {
  const [world] = useSelectedWorld();
  const runs = useQuery(runsQuery(world));
  const [selection, change] = useStudySelection();
  const rows = runs.data?.runs;
  const first = firstToStudy(rows ?? []);
  const ids = useMemo(() => selection.runs ?? (first === null ? [] : [first]), [selection.runs, first]);

  if (rows === undefined) {
    return runs.error === null ? (
      <StudySkeleton />
    ) : (
      <QueryError error={runs.error} what="the runs" onRetry={() => void runs.refetch()} isCompact={false} />
    );
  }
  if (rows.length === 0 && ids.length === 0) {
    return <NoRuns icon={Sprout} title="Nothing to study yet" />;
  }
  return (
    <div className={classes.page}>
      <RunPanel
        rows={rows}
        total={runs.data?.total ?? rows.length}
        selected={ids}
        onSelect={(chosen) => change({ runs: chosen })}
      />
      <div id={BODY_ID} tabIndex={-1} className={classes.body}>
        <StudyBody ids={ids} rows={rows} selection={selection} change={change} />
      </div>
    </div>
  );
}
