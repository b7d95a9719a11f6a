import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { NO_MANIFESTS } from "../../manifests";
import type { PanelsProps } from "../../renderer";
import { noteOf } from "../memory";
import { sampleState } from "../sample";
import type { ProspectorState } from "../state";
import { Panels } from "./Panels";

afterEach(cleanup);

const DOCK: Partial<ProspectorState> = {
  time: 200,
  node: { index: 0, type: "station", steps_to_station: 0 },
  neighbors: [{ slot: 0, node: 4, type: "cluster", travel_time: 4, fuel_cost: 47, threat_est: 0.2 }],
  asteroids: [],
};
const docked = sampleState({ ...DOCK, market: { ...sampleState().market, price: [30, 55, 85, 145, 210, 120] } });
const away = sampleState({ time: 240 });

function show(states: readonly ProspectorState[], props: Partial<PanelsProps> = {}) {
  const state = states.at(-1) ?? docked;
  const past = { notes: states.map(noteOf), isWhole: true };
  render(
    <MantineProvider>
      <Panels state={state} past={past} manifests={NO_MANIFESTS} {...props} />
    </MantineProvider>,
  );
  return { market: within(screen.getByTestId("market")), belt: within(screen.getByTestId("belt")) };
}

it("offers sales for what they bring where the ship is docked", () => {
  const onPick = vi.fn();
  const { market } = show([docked], { onPick, isOpen: (key) => key !== "SELL_COMMODITY_0_100PCT" });

  fireEvent.click(
    market.getByRole("button", { name: /^50%.*– sell water ice: 4.5 units bring 355.7 credits, 7% below/ }),
  );

  expect(onPick.mock.calls).toEqual([["SELL_COMMODITY_2_50PCT"]]);
  expect(market.queryByRole("button", { name: /^100%.*sell iron/ })).toBeNull();
  market.getByText("Docked: sales pay this now");
});

it("remembers the market from the last docking, with its age, where it is only heard of", () => {
  const { market } = show([docked, away], { onPick: vi.fn(), isOpen: () => true });

  expect(screen.getByTestId("market-memory").textContent).toBe(
    "Last docked 40 ticks ago; small figures are from then.",
  );
  const iron = market.getAllByRole("listitem")[0];
  expect(iron?.querySelector('[data-figure="price"]')?.textContent).toBe("4530 then");
  expect(market.queryAllByRole("button")).toEqual([]);
  market.getByText("685");
});

it("says when what happened before is not read yet", () => {
  show([away], { past: { notes: [noteOf(away)], isWhole: false } });

  expect(screen.getByTestId("market-memory").textContent).toBe("Reading what happened before …");
});

it("charts the places visited and seen, and tells what is known of each", () => {
  const { belt } = show([docked, away]);

  belt.getByText("2 visited, 1 seen from next door");
  belt.getByRole("button", { name: "Rock cluster 4, the ship is here" });
  expect(screen.getByTestId("place-facts").textContent).toContain(
    "2 of 2 rocks to dig; the best known seems mostly water ice",
  );

  fireEvent.click(belt.getByRole("button", { name: "Station" }));
  expect(screen.getByTestId("place-facts").textContent).toContain("Station seen 40 ticks ago");
  expect(belt.getByRole("row", { name: "Rock cluster 4 4 47 20%" })).toBeDefined();

  fireEvent.keyDown(belt.getByRole("button", { name: "Hazard field 9, not visited" }), { key: "Enter" });
  expect(screen.getByTestId("place-facts").textContent).toBe("Hazard field 9 seen from next door, not visited");
});

it("shows what comes later only in a replay, and only when asked to", () => {
  const whole = { notes: [docked, away].map(noteOf), isWhole: true };
  const { belt } = show([docked], { whole });
  expect(belt.queryByRole("button", { name: /Hazard field 9/ })).toBeNull();

  fireEvent.click(belt.getByRole("switch", { name: "Whole replay" }));

  belt.getByRole("button", { name: "Hazard field 9, not visited" });
  fireEvent.click(belt.getByRole("button", { name: "Rock cluster 4" }));
  expect(screen.getByTestId("place-facts").textContent).toContain("seen later, at tick 240");
});

it("opens replays that were recorded without quotes", () => {
  const { sale_quotes: _, ...earlier } = docked;
  const { market } = show([earlier as ProspectorState], { onPick: vi.fn(), isOpen: () => true });

  market.getByText("9.0 held");
  market.getByText("Docked");
  market.getByText("What sales bring was not recorded yet when this replay was made.");
  expect(market.queryAllByRole("button")).toEqual([]);
});
