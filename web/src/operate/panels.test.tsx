import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { EventFeed } from "./components/EventFeed";
import { KpiPanel } from "./components/KpiPanel";
import { OperateHeader } from "./components/OperateHeader";
import { PromotionPanel } from "./components/PromotionPanel";
import { Settings } from "./components/Settings";
import { StabilityPanel } from "./components/StabilityPanel";
import { StatePanel } from "./components/StatePanel";
import { StoryFeed } from "./components/StoryFeed";
import { SystemPanel } from "./components/SystemPanel";
import { ConsoleClient } from "./state/console";
import { LiveStore, type LiveView } from "./state/LiveStore";
import type { Envelope } from "./state/messages";
import type { Orders } from "./state/useOrders";
import { CitizenCards } from "./town/CitizenCards";
import { CitizenInspector } from "./town/CitizenInspector";
import { Lifecycle, Perturbations } from "./town/Happenings";
import { Queues, Relationships } from "./town/Society";
import { Economy, Employment } from "./town/Work";

const lines = readFileSync(join(import.meta.dirname, "recorded/town.ndjson"), "utf-8")
  .trim()
  .split("\n");
const stream = lines.map((line) => JSON.parse(line) as Envelope);
const orders: Orders = { client: new ConsoleClient("", "townlet", null), given: [], give: async () => null };
const nothing = () => undefined;

function viewOf(messages: readonly Envelope[]): LiveView {
  const store = new LiveStore();
  for (const [place, message] of messages.entries()) {
    expect(store.take(message, place * 1000)).toBe("applied");
  }
  const view = store.newest();
  if (view === null) {
    throw new Error("the stream shows nothing");
  }
  return view;
}

const full = viewOf(stream);
const empty = viewOf([{ ...(stream[0] as Envelope), state: {}, events: [], narrations: [] }]);
const common = { orders, canOperate: true };

const panels: Readonly<Record<string, (view: LiveView) => ReactElement>> = {
  header: (view) => (
    <OperateHeader
      telemetry={{ view, connection: "open", refusal: "", isNewerMinor: false }}
      view={view}
      orders={orders}
      token="a-token"
      onToken={nothing}
    />
  ),
  cards: (view) => <CitizenCards view={view} subject="guest" onSubject={nothing} />,
  inspector: (view) => <CitizenInspector view={view} subject="citizen_000" windowTiles={11} />,
  employment: (view) => <Employment view={view} {...common} />,
  economy: (view) => <Economy view={view} {...common} />,
  queues: (view) => <Queues view={view} />,
  relationships: (view) => <Relationships view={view} />,
  perturbations: (view) => <Perturbations view={view} {...common} />,
  lifecycle: (view) => <Lifecycle view={view} />,
  kpis: (view) => <KpiPanel view={view} />,
  stability: (view) => <StabilityPanel view={view} />,
  promotion: (view) => <PromotionPanel view={view} {...common} />,
  stories: (view) => <StoryFeed view={view} onTick={nothing} />,
  events: (view) => <EventFeed view={view} onTick={nothing} />,
  system: (view) => <SystemPanel view={view} {...common} />,
  settings: () => <Settings hasCues onCues={nothing} volume={0.5} onVolume={nothing} />,
  state: (view) => <StatePanel view={view} />,
};

/** What a panel must show of the recorded town, and what it says where there is nothing. */
const words: Readonly<Record<string, { shown: readonly string[]; empty: string }>> = {
  header: { shown: ["Townlet", "Day 1", "2 alerts", "live", "schema 0.3.0"], empty: "Townlet" },
  cards: {
    shown: ["Ada", "Nora", "led", "Fed", "Clean", "Rested", "coins", "barista: shift done, attendance"],
    empty: "Nobody is in town",
  },
  inspector: {
    shown: ["Ada", "Reward", "Needs unmet", "Decision:", "value", "around the citizen", "0 east, 0 south: the citizen"],
    empty: "Choose somebody",
  },
  employment: { shown: ["barista", "1 citizen", "attendance"], empty: "Nobody is about to be let go" },
  economy: { shown: ["meals1.2 coins", "usually 0.8 coins", "water off"], empty: "basket – coins" },
  queues: { shown: ["ghost steps", "rotations"], empty: "ghost steps" },
  relationships: { shown: ["Bram", "Nora"], empty: "Nobody knows anybody yet" },
  perturbations: {
    shown: ["price spike until tick", "blackout from tick", "Cancel"],
    empty: "Nothing disturbs the town",
  },
  lifecycle: { shown: ["Dario", "killed", "1 of 2 exits today"], empty: "Nobody has left yet" },
  kpis: {
    shown: [
      "Attendance",
      "Self-sufficiency",
      "far off target at least 0.7",
      "off target at most 0",
      "target at most 0.2",
    ],
    empty: "This world reports no KPIs",
  },
  stability: { shown: ["starvation spike", "raised", "threshold"], empty: "nothing" },
  promotion: { shown: ["monitoring", "Release", "Candidate", "idle"], empty: "No policy is being judged" },
  stories: { shown: ["Bram and Nora"], empty: "Nothing worth telling yet" },
  events: { shown: ["rehearsal gave spawn: done", "rehearsal gave kill: not_found"], empty: "Nothing" },
  system: { shown: ["console", "keep", "ms a tick", "ms at tick", "Snapshots"], empty: "Health" },
  settings: { shown: ["amber", "A sound when an alert is raised"], empty: "Legend" },
  state: { shown: ["economy"], empty: "This world tells nothing but its picture" },
};

function draw(panel: ReactElement): HTMLElement {
  const { container } = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <MantineProvider env="test">{panel}</MantineProvider>
    </QueryClientProvider>,
  );
  return container;
}

function textOf(panel: ReactElement): string {
  return draw(panel).textContent ?? "";
}

afterEach(cleanup);

describe("the panels of a recorded town", () => {
  it("are all described here", () => expect(Object.keys(words)).toEqual(Object.keys(panels)));

  it.each(Object.keys(panels))("%s shows what was told", (name) => {
    const text = textOf((panels[name] as (view: LiveView) => ReactElement)(full));
    for (const word of words[name]?.shown ?? []) {
      expect(text.toLowerCase()).toContain(word.toLowerCase());
    }
  });

  it("does not judge by an attendance that nobody has measured", () => {
    const first = structuredClone(full);
    const state = first.state as { kpis: { current: Record<string, number> }; agents: Record<string, { job: object }> };
    delete state.kpis.current.attendance;
    for (const agent of Object.values(state.agents)) {
      agent.job = { ...agent.job, attendance_ratio: null };
    }

    const container = draw(
      <>
        <KpiPanel view={first} />
        <Employment view={first} {...common} />
      </>,
    );

    const tile = [...container.querySelectorAll("[class*=tile]")].find((found) =>
      found.textContent?.startsWith("Attendance"),
    );
    expect(tile?.textContent).toContain("none yet · target at least 0.7");
    expect(tile?.getAttribute("data-band")).toBeNull();
    expect(container.textContent).toContain("no shift yet");
  });

  it.each(Object.keys(panels))("%s says so where nothing was told", (name) => {
    const text = textOf((panels[name] as (view: LiveView) => ReactElement)(empty));
    expect(text.toLowerCase()).toContain((words[name]?.empty ?? "").toLowerCase());
  });
});
