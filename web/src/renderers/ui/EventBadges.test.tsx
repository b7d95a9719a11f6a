import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { NO_MANIFESTS } from "../manifests";
import type { WorldScene } from "../sceneQuery";
import { EventBadges } from "./EventBadges";

afterEach(cleanup);

const SCENE = {
  module: { eventPictures: { fracture: "icon.event.fracture", refine: "icon.event.gone" } },
  manifests: {
    ...NO_MANIFESTS,
    graphicsBase: "/assets/belt/",
    graphics: {
      ...NO_MANIFESTS.graphics,
      frames: { "icon.event.fracture": { path: "icons/fracture.svg", atlas: null, frame: null } },
    },
  },
} as unknown as WorldScene;

it("shows the picture of an event where the world has one, and its name alone elsewhere", () => {
  render(
    <MantineProvider>
      <EventBadges events={["fracture", "refine", "repair"]} scene={SCENE} />
    </MantineProvider>,
  );

  const badges = screen.getByTestId("event-badges");
  expect(badges.textContent).toBe("FractureRefineRepair");
  expect([...badges.querySelectorAll("img")].map((image) => image.getAttribute("src"))).toEqual([
    "/assets/belt/icons/fracture.svg",
  ]);
});
