import { Tooltip, UnstyledButton } from "@mantine/core";
import type { Subject } from "../renderer";
import classes from "./SubjectPicker.module.css";
import { subjectIn } from "./subjectIn";

interface Props {
  subjects: readonly Subject[];
  /** The one that is looked at. */
  chosen: string | null;
  onChoose: (key: string) => void;
}

/** Chooses who or what the gauges are about. */
export function SubjectPicker({ subjects, chosen, onChoose }: Props) {
  const shown = subjectIn(subjects, chosen);
  return (
    <fieldset className={classes.subjects} aria-label="Who is shown" data-testid="subjects">
      {subjects.map(({ key, label, hint, tone, isOwn }) => (
        <Tooltip key={key} label={hint} openDelay={300}>
          <UnstyledButton
            className={classes.subject}
            aria-pressed={key === shown?.key}
            data-own={isOwn}
            onClick={() => onChoose(key)}
          >
            <i data-tone={tone} aria-hidden />
            {label}
          </UnstyledButton>
        </Tooltip>
      ))}
    </fieldset>
  );
}
