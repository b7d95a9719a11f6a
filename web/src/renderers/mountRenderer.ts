import type { MountOptions, WorldModule, WorldRenderer } from "./renderer";

/**
 * Makes the renderer of a world and puts it into an element until the signal aborts.
 *
 * Returns null where the signal aborted before the renderer was ready to show something.
 */
export async function mountRenderer(
  module: WorldModule,
  host: HTMLElement,
  options: MountOptions,
  signal: AbortSignal,
): Promise<WorldRenderer | null> {
  const renderer = await module.createRenderer();
  if (signal.aborted) {
    return null;
  }
  signal.addEventListener("abort", () => renderer.destroy());
  await renderer.mount(host, options);
  return signal.aborted ? null : renderer;
}
