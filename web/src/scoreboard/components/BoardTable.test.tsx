// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ScoreboardMetric, ScoreboardRow } from "../state/calls";
import { BoardTable } from "./BoardTable";

afterEach(cleanup);

const METRICS: ScoreboardMetric[] = [
  { key: "profit", label: "Profit", unit: "cr", better: "higher" },
  { key: "survival", label: "Survival", unit: "", better: "higher" },
];

function row(given: Partial<ScoreboardRow> & { name: string }): ScoreboardRow {
  return { kind: "script", run_id: null, status: "known", episodes: 20, ...given } as ScoreboardRow;
}

const score = (value: number) => ({ value, low: value - 1, high: value + 1 });
const ROWS = [
  row({ name: "idle", scores: { profit: score(0), survival: score(1) }, replay_run_id: "board", replay_id: "r0" }),
  row({
    name: "champion/prospector",
    kind: "champion",
    run_id: "champion:prospector",
    scores: { profit: score(50), survival: score(0.5) },
    replay_run_id: "champion:prospector",
    replay_id: "r1",
  }),
  row({ name: "mine", kind: "run", run_id: "mine", status: "missing", scores: null }),
];

function shownNames(): string[] {
  const [, ...lines] = screen.getAllByRole("row");
  return lines.map((line) => within(line).getAllByRole("cell")[0]?.textContent ?? "");
}

test("shows the best first with intervals and leads to replays", () => {
  render(<BoardTable metrics={METRICS} rows={ROWS} />, { wrapper: MantineProvider });

  expect(shownNames()).toEqual(["Champion of Prospectorchampion", "idlescript", "minerun"]);
  expect(screen.getByText("49 to 51")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Watch Champion of Prospector" }).getAttribute("href")).toBe(
    "/watch/champion:prospector/r1",
  );
  expect(screen.getByText("has not played")).toBeTruthy();
});

test("sorts by the heading that is chosen, and says so", () => {
  render(<BoardTable metrics={METRICS} rows={ROWS} />, { wrapper: MantineProvider });

  fireEvent.click(screen.getByRole("button", { name: "Survival" }));

  expect(shownNames()[0]).toBe("idlescript");
  expect(screen.getByRole("columnheader", { name: "Survival" }).getAttribute("aria-sort")).toBe("descending");
});
