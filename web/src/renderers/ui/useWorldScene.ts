import { skipToken, useQuery } from "@tanstack/react-query";
import type { WorldDescriptor } from "../../api/types";
import { sceneQuery } from "../sceneQuery";

const NO_WORLD = { world: "", presentation: { graphics: "", audio: "", effects: "" }, obs_layout: [] };

/** What is needed to draw a world; idle while no world is known. */
export function useWorldScene(descriptor: WorldDescriptor | undefined) {
  const options = sceneQuery(descriptor ?? NO_WORLD);
  return useQuery(descriptor === undefined ? { ...options, queryFn: skipToken } : options);
}
