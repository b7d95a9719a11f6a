import type { ReplayEntry } from "../../api/types";
import { capitalize } from "../capitalize";

const CUT_OFF = "Cut off";

/** Returns why an episode ended, in words. */
export function reasonText(reason: string): string {
  return reason === "truncated" ? CUT_OFF : capitalize(reason.replaceAll("_", " "));
}

/** Returns how a recorded episode ended, in words. */
export function endText({ end_reason: reason, terminated }: Pick<ReplayEntry, "end_reason" | "terminated">): string {
  return reason === null ? (terminated ? "By the rules" : CUT_OFF) : reasonText(reason);
}
