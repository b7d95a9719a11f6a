import { expect, it } from "vitest";
import { qualityFor } from "./quality";

it("draws less where there is no graphics card", () => {
  const weak = qualityFor("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)))", 2);
  expect(weak).toEqual({ antialias: false, resolution: 1, activeFps: 20, idleFps: 0 });
});

it("follows the screen, but not beyond two pixels per point", () => {
  expect(qualityFor("ANGLE (NVIDIA, RTX)", 3).resolution).toBe(2);
  expect(qualityFor("", 1.5).resolution).toBe(1.5);
});
