import { Stack } from "@mantine/core";
import type { WorldDescriptor } from "../../../api/types";
import { Panel } from "../../../shared/Panel";
import type { StudyRun } from "../../state/useStudyRuns";
import { EndReasons } from "./EndReasons";
import { LastWindows } from "./LastWindows";
import { PhaseShares } from "./PhaseShares";

export function WindowsTab({ run, descriptor }: { run: StudyRun; descriptor: WorldDescriptor | undefined }) {
  return (
    <Stack>
      <Panel title="Last ten windows" note={run.id}>
        <LastWindows run={run} descriptor={descriptor} />
      </Panel>
      <Panel title="Where the time goes" note="Shares of the wall time">
        <PhaseShares windows={run.windows} />
      </Panel>
      <Panel title="How episodes ended" note="Over all windows">
        <EndReasons windows={run.windows} />
      </Panel>
    </Stack>
  );
}
