/** How much a machine can draw. */
export interface Quality {
  antialias: boolean;
  resolution: number;
  activeFps: number;
  /** Pictures per second while nothing but the sky moves; 0 stops the clock then. */
  idleFps: number;
}

const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

/** Returns what suits the graphics of this browser; without a graphics card the picture rests between steps. */
export function qualityFor(graphics: string, pixelRatio: number): Quality {
  if (SOFTWARE.test(graphics)) {
    return { antialias: false, resolution: 1, activeFps: 20, idleFps: 0 };
  }
  return { antialias: true, resolution: Math.min(2, pixelRatio), activeFps: 60, idleFps: 24 };
}

/** Returns the name of what draws here, or an empty string where the browser does not tell. */
export function graphicsName(context: WebGL2RenderingContext): string {
  const details = context.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = context.getParameter(details?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER);
  return typeof name === "string" ? name : "";
}
