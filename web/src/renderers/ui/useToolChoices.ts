import { useCallback, useMemo, useState } from "react";
import type { PictureTool, ToolChoices } from "../renderer";

/** What is chosen among the tools of a picture: their initial values until somebody chooses otherwise. */
export function useToolChoices(tools: readonly PictureTool[]) {
  const [chosen, setChosen] = useState<ToolChoices>({});
  const initial = JSON.stringify(
    Object.fromEntries(tools.flatMap((tool) => (tool.kind === "button" ? [] : [[tool.key, tool.initial]]))),
  );
  const choices = useMemo(() => ({ ...(JSON.parse(initial) as ToolChoices), ...chosen }), [initial, chosen]);
  const choose = useCallback(
    (key: string, value: string | boolean) => setChosen((before) => ({ ...before, [key]: value })),
    [],
  );
  return { choices, choose };
}
