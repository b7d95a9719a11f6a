import { skipToken, useQuery } from "@tanstack/react-query";
import type { WorldDescriptor } from "../../api/types";
import { sceneQuery, type WorldScene } from "../sceneQuery";

export type { WorldScene };

/** What is needed to draw a world; idle while no world is known. */
export function useWorldScene(descriptor: WorldDescriptor | undefined) {
  const options = sceneQuery(
    descriptor?.world ?? "",
    descriptor?.presentation ?? { graphics: "", audio: "", effects: "" },
  );
  return useQuery(descriptor === undefined ? { ...options, queryFn: skipToken } : options);
}
