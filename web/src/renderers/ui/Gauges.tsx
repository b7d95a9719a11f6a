import { Button } from "@mantine/core";
import type { RenderState } from "../renderer";
import type { WorldScene } from "../sceneQuery";
import { Hud } from "./Hud";
import { SubjectPicker } from "./SubjectPicker";
import { subjectIn } from "./subjectIn";

interface Props {
  scene: WorldScene;
  state: RenderState;
  /** Who or what is looked at, as far as anybody has chosen. */
  subject: string | null;
  onSubject: (key: string) => void;
  /** Called with the seat of a subject that somebody wants to play; absent where nobody plays. */
  onLead?: (seat: number) => void;
}

/** The gauges of a moment; in a world with several subjects, of one that can be chosen. */
export function Gauges({ scene: { module, manifests }, state, subject, onSubject, onLead }: Props) {
  const subjects = module.subjects?.(state) ?? [];
  const shown = subjectIn(subjects, subject);
  return (
    <>
      {subjects.length > 1 && <SubjectPicker subjects={subjects} chosen={subject} onChoose={onSubject} />}
      {onLead !== undefined && shown?.isOwn === false && (
        <Button size="compact-sm" variant="light" mb={12} onClick={() => onLead(shown.seat)}>
          Start over as {shown.label}
        </Button>
      )}
      <Hud gauges={module.hud(state, manifests.graphics.colors, subject)} />
    </>
  );
}
