import { notifications } from "@mantine/notifications";
import { useCallback } from "react";
import type { SessionState } from "../../api/types";
import type { Sound } from "../../renderers/sound/useSound";

/**
 * Returns a function that says why an action is not possible now; it returns whether it had to. A further reason comes
 * from what is chosen beside it.
 */
export function useRefusal(state: SessionState, sound: Sound): (action: number, beside?: string) => boolean {
  return useCallback(
    (action, beside = "") => {
      if (state.action_mask[action] === 1 && beside === "") {
        return false;
      }
      const reason = beside || state.action_reasons?.[action] || "it is not possible now";
      notifications.show({ message: `Not now: ${reason}.`, color: "orange", autoClose: 2500 });
      sound.board?.play("ui.error");
      return true;
    },
    [state, sound.board],
  );
}
