import type { PictureTool, RenderState, Role } from "../renderer";

/** What can be changed about the picture. */
export function tools(_: RenderState, role: Role): PictureTool[] {
  return [
    {
      kind: "choice",
      key: "camera",
      label: "Camera",
      options: [
        { value: "town", label: "Whole town" },
        { value: "citizen", label: "Follow citizen" },
      ],
      initial: role === "human" ? "citizen" : "town",
    },
    {
      kind: "switch",
      key: "ties",
      label: "Ties",
      hint: "Who likes whom (green) and who is at odds with whom (red)",
      initial: false,
    },
    { kind: "switch", key: "plans", label: "Plans", hint: "Where everybody is going", initial: role === "human" },
    { kind: "switch", key: "roofs", label: "Roofs", hint: "Put the roofs on", initial: false },
    { kind: "button", key: "zoom-in", label: "Zoom in", icon: "zoom-in" },
    { kind: "button", key: "zoom-out", label: "Zoom out", icon: "zoom-out" },
    { kind: "button", key: "fit", label: "Back to the chosen camera", icon: "fit" },
  ];
}
