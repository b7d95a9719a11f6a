import { DOMAdapter, getMaxFragmentPrecision } from "pixi.js";
import { graphicsName, type Quality, qualityFor } from "./quality";

export interface DrawingContext {
  canvas: HTMLCanvasElement;
  context: WebGL2RenderingContext;
  quality: Quality;
}

const REMEMBERED = "diorama.graphics";

/**
 * Opens what a picture is drawn with. Throws where the browser has no WebGL 2.
 *
 * Smoothing must be chosen before the graphics can be asked for their name, so the name of the last time decides: a
 * second context would take as long to make as the first.
 */
export function openContext(pixelRatio: number): DrawingContext {
  const { antialias } = qualityFor(localStorage.getItem(REMEMBERED) ?? "", pixelRatio);
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { alpha: false, antialias, stencil: true });
  if (context === null) {
    throw new Error("This browser has no WebGL 2, which pictures are drawn with.");
  }
  const name = graphicsName(context);
  localStorage.setItem(REMEMBERED, name);
  answerQuestion(context);
  return { canvas, context, quality: { ...qualityFor(name, pixelRatio), antialias } };
}

/** Lets PixiJS ask this context what it would otherwise make one of its own for; it remembers the answer. */
function answerQuestion(context: WebGL2RenderingContext): void {
  const adapter = DOMAdapter.get();
  const asked = Object.assign(document.createElement("canvas"), { getContext: () => context });
  DOMAdapter.set({ ...adapter, createCanvas: () => asked });
  try {
    getMaxFragmentPrecision();
  } finally {
    DOMAdapter.set(adapter);
  }
}
