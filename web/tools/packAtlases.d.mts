import type { GraphicsManifest } from "../src/renderers/manifests";

export function packAtlases(folder: string): { manifest: GraphicsManifest; sheets: Record<string, string> };
export function manifestText(manifest: GraphicsManifest): string;
