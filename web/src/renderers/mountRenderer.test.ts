import { expect, it, vi } from "vitest";
import { mountRenderer } from "./mountRenderer";
import type { MountOptions, WorldModule } from "./renderer";

const OPTIONS = {} as MountOptions;

function moduleWith(mount: () => Promise<void>) {
  const renderer = { mount: vi.fn(mount), show: vi.fn(), resize: vi.fn(), destroy: vi.fn() };
  return { renderer, module: { createRenderer: async () => renderer } as unknown as WorldModule };
}

it("hands out a renderer that is mounted, and destroys it when its place goes", async () => {
  const { renderer, module } = moduleWith(async () => undefined);
  const leaving = new AbortController();
  expect(await mountRenderer(module, document.body, OPTIONS, leaving.signal)).toBe(renderer);
  expect(renderer.destroy).not.toHaveBeenCalled();
  leaving.abort();
  expect(renderer.destroy).toHaveBeenCalledOnce();
});

it("mounts nothing in a place that went while the renderer was fetched", async () => {
  const { renderer, module } = moduleWith(async () => undefined);
  const leaving = new AbortController();
  const mounting = mountRenderer(module, document.body, OPTIONS, leaving.signal);
  leaving.abort();
  expect(await mounting).toBeNull();
  expect(renderer.mount).not.toHaveBeenCalled();
});

it("hands out nothing when the place went during the mount", async () => {
  const leaving = new AbortController();
  const { renderer, module } = moduleWith(async () => leaving.abort());
  expect(await mountRenderer(module, document.body, OPTIONS, leaving.signal)).toBeNull();
  expect(renderer.destroy).toHaveBeenCalledOnce();
});
