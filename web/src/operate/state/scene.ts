import type { RenderState } from "../../renderers/renderer";
import { isObject, type Json } from "./json";

/**
 * Reads the picture of a live world. Every part of it comes in a list of its own, since what changes is told by merge
 * patches, and those carry nulls nowhere but in lists.
 */
export function sceneOf(block: Json | undefined): RenderState | null {
  if (!isObject(block)) {
    return null;
  }
  const parts = Object.entries(block).map(([name, framed]) => [name, Array.isArray(framed) ? framed[0] : framed]);
  return Object.fromEntries(parts) as RenderState;
}
