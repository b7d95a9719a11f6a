import type { ShortcutSection } from "../shared/shortcuts/registry";

export const STUDY_SHORTCUTS: ShortcutSection = {
  title: "Study",
  shortcuts: [
    { keys: ["/"], does: "Search the runs" },
    { keys: ["Drag"], does: "Zoom all curves" },
    { keys: ["Double click"], does: "Show the whole curves again" },
  ],
};
