import { notifications } from "@mantine/notifications";
import { useCallback } from "react";
import type { SessionState } from "../../api/types";
import type { Sound } from "../../renderers/sound/useSound";

/** Returns a function that says why an action is not possible now; it returns whether it had to. */
export function useRefusal(state: SessionState, sound: Sound): (action: number) => boolean {
  return useCallback(
    (action) => {
      if (state.action_mask[action] === 1) {
        return false;
      }
      const reason = state.action_reasons?.[action] || "it is not possible now";
      notifications.show({ message: `Not now: ${reason}.`, color: "orange", autoClose: 2500 });
      sound.board?.play("ui.error");
      return true;
    },
    [state, sound.board],
  );
}
