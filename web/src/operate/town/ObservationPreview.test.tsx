import { MantineProvider } from "@mantine/core";
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { LiveView } from "../state/LiveStore";
import { ObservationPreview } from "./ObservationPreview";

const SIZE = 9;
const ada = { pos: [4, 4] };
const view: LiveView = {
  world: "townlet",
  runId: "a-run",
  configId: "a-town",
  schemaVersion: "0.3.0",
  tick: 0,
  day: 0,
  tod: 0,
  state: {
    map: { tiles: Array.from({ length: SIZE }, (_, row) => (row === 0 ? "#" : ".").repeat(SIZE)) },
    objects: { stove: { pos: [5, 4], holder: null }, shower: { pos: [3, 4], holder: "bram" } },
    agents: { ada, bram: { pos: [4, 6] } },
  },
  events: [],
  narrations: [],
  trends: {},
  receivedAt: 0,
};

function shown(windowTiles: number) {
  const { container } = render(
    <MantineProvider env="test">
      <ObservationPreview view={view} agent={ada} windowTiles={windowTiles} />
    </MantineProvider>,
  );
  const tiles = [...container.querySelectorAll("rect")].map((tile) => tile.getAttribute("data-tile"));
  return { tiles, box: container.querySelector("svg")?.getAttribute("viewBox"), words: container.textContent };
}

afterEach(cleanup);

describe("the preview of what a policy sees", () => {
  it.each([3, 7, 11, 21])("has the size of the window, %i tiles, with the citizen in its middle", (side) => {
    const { tiles, box } = shown(side);
    expect(box).toBe(`0 0 ${side} ${side}`);
    expect(tiles).toHaveLength(side * side);
    expect(tiles[(side * side - 1) / 2]).toBe("self");
  });

  it("shows no more than the window reaches", () => {
    const near = shown(3).tiles;
    expect(near.slice(3, 6)).toEqual(["held", "self", "object"]);
    expect(near).not.toContain("citizen");
    const far = shown(11).tiles;
    expect(far.filter((tile) => tile === "citizen")).toHaveLength(1);
    expect(far.filter((tile) => tile === "blocked")).toHaveLength(SIZE);
    expect(far.filter((tile) => tile === "outside")).toHaveLength(11 * 11 - SIZE * SIZE);
  });

  it("says so where policies see no map", () => expect(shown(0).words).toContain("see no map"));
});
