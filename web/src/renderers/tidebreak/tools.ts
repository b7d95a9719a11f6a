import type { PictureTool, RenderState, Role } from "../renderer";
import { asTidebreak, OMNISCIENT } from "./state";

export const TRUTH = "truth";
export const NO_FIELD = "none";
const FIELDS = ["NOISE", "SMOKE", "TEMPERATURE", "SONAR_RETURN", "WAKE"] as const;
const FIELD_NAMES = ["Noise", "Smoke", "Temperature", "Sonar return", "Wakes"] as const;

/** What can be changed about the picture; a side's own picture has no truth to switch to. */
export function tools(state: RenderState, role: Role): PictureTool[] {
  const { view, teams } = asTidebreak(state);
  const knowledge: PictureTool = {
    kind: "choice",
    key: "knowledge",
    label: "Whose knowledge",
    options: [
      { value: TRUTH, label: "Truth" },
      ...teams.map((team) => ({ value: team.team_id, label: `What ${team.name} knows` })),
    ],
    initial: TRUTH,
  };
  return [
    ...(view === OMNISCIENT ? [knowledge] : []),
    {
      kind: "choice",
      key: "camera",
      label: "Camera",
      options: [
        { value: "ship", label: "Follow ship" },
        { value: "all", label: "All ships" },
        { value: "map", label: "Whole map" },
      ],
      initial: role === "human" ? "ship" : "all",
    },
    {
      kind: "choice",
      key: "field",
      label: "Field",
      options: [
        { value: NO_FIELD, label: "No field" },
        ...FIELDS.map((value, place) => ({ value, label: FIELD_NAMES[place] ?? value })),
      ],
      initial: NO_FIELD,
    },
    {
      kind: "switch",
      key: "sensors",
      label: "Sensors",
      hint: "Ranges of sight and weapons, and who holds which contact",
      initial: role === "human",
    },
    { kind: "button", key: "zoom-in", label: "Zoom in", icon: "zoom-in" },
    { kind: "button", key: "zoom-out", label: "Zoom out", icon: "zoom-out" },
    { kind: "button", key: "fit", label: "Back to the chosen camera", icon: "fit" },
  ];
}
