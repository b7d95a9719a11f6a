import { Button, Tooltip } from "@mantine/core";
import { StepForward } from "lucide-react";

interface Props {
  /** What is going to be done. */
  title: string;
  canAct: boolean;
  isBusy: boolean;
  onDecide: () => void;
}

/** Does what is chosen on all heads. */
export function DecideButton({ title, canAct, isBusy, onDecide }: Props) {
  return (
    <Tooltip label="Decide as chosen, and let a step pass (Space)">
      <Button
        size="sm"
        miw={180}
        leftSection={<StepForward size={15} aria-hidden />}
        disabled={!canAct}
        aria-busy={isBusy}
        onClick={onDecide}
        data-testid="decide"
      >
        {title}
      </Button>
    </Tooltip>
  );
}
