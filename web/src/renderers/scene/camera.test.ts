import { describe, expect, it } from "vitest";
import { Camera } from "./camera";

function camera(): Camera {
  const made = new Camera(46);
  made.aimAt({ center: { x: 1000, y: -500 }, width_m: 2000, height_m: 2000 });
  made.resize(892, 492);
  return made;
}

describe("the camera", () => {
  it("puts its aim into the middle, north up, all of it inside", () => {
    const view = camera();
    expect(view.toScreen({ x: 1000, y: -500 })).toEqual({ x: 446, y: 246 });
    expect(view.scale).toBeCloseTo(0.2);
    expect(view.toScreen({ x: 1000, y: 500 }).y).toBeCloseTo(46);
  });

  it("leaves room for what lies over its upper edge", () => {
    const view = new Camera(10, 50);
    view.aimAt({ center: { x: 0, y: 0 }, width_m: 10, height_m: 10 });
    view.resize(900, 460);
    expect([5, -5].map((y) => view.toScreen({ x: 0, y }).y)).toEqual([50, 450]);
    expect(view.toWorld({ x: 450, y: 50 }).y).toBeCloseTo(5);
  });

  it("finds back from the screen to the sea", () => {
    const place = { x: 1234, y: -321 };
    const back = camera().toWorld(camera().toScreen(place));
    expect(back.x).toBeCloseTo(place.x);
    expect(back.y).toBeCloseTo(place.y);
  });

  it("keeps what is under the pointer there while zooming", () => {
    const view = camera();
    const at = { x: 100, y: 400 };
    const under = view.toWorld(at);
    view.zoomBy(3, at);
    expect(view.toWorld(at).x).toBeCloseTo(under.x);
    expect(view.toWorld(at).y).toBeCloseTo(under.y);
  });

  it("follows its aim and keeps the way it was pushed", () => {
    const view = camera();
    view.panBy(-20, 0);
    view.aimAt({ center: { x: 3000, y: -500 }, width_m: 2000, height_m: 2000 });
    expect(view.tick(16)).toBe(true);
    view.settle();
    expect(view.center.x).toBeCloseTo(3100);
    view.reset();
    expect(view.center).toEqual({ x: 3000, y: -500 });
  });
});
