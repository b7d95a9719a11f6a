import type { MountOptions, ToolChoices, View, WorldRenderer } from "../../renderer";
import { eventLines } from "../eventLines";
import { asMorphogenesis, type MorphogenesisState, OPS, refusalOf, slotOf } from "../state";
import { CHARTS, type ChartKind } from "../tools";
import { percent } from "../words";
import { Art } from "./art";
import { drawChart } from "./chart";
import { drawMarks, marksOf } from "./effects";
import { drawHosts } from "./hosts";
import { type Layout, layOut } from "./layout";
import "./morphogenesis.css";
import { drawSlot } from "./seeds";
import { drawStation } from "./stations";
import { draw, write } from "./svg";

const FLASH_MS = 5000;
/** Width of a letter of the caption, on average. */
const LETTER = 7;

/** Pictures that were made on this page, so that each can have names of its own. */
let pictures = 0;

/** Draws the host as a line from input to output with its seeds as side branches, and the episode in a chart beneath. */
export class MorphogenesisRenderer implements WorldRenderer {
  readonly #root = document.createElement("div");
  readonly #leaving = new AbortController();
  readonly #name = `network-${++pictures}`;
  #options: MountOptions | null = null;
  #art: Art | null = null;
  #view: View | null = null;
  #choices: ToolChoices = {};

  async mount(host: HTMLElement, options: MountOptions): Promise<void> {
    this.#options = options;
    this.#art = new Art(options.manifests);
    this.#root.className = "morphogenesis";
    this.#root.dataset.theme = options.theme;
    this.#root.setAttribute("aria-hidden", "true");
    this.#root.addEventListener("click", (event) => this.#click(event), { signal: this.#leaving.signal });
    host.append(this.#root);
  }

  show(view: View): void {
    const isNew = view.state !== this.#view?.state;
    this.#view = view;
    this.#paint(isNew);
    if (isNew && !view.reducedMotion && view.frame?.events.includes("GOVERNOR_ROLLBACK")) {
      this.#root.animate(
        [{ boxShadow: "inset 0 0 0 6px #e5484d" }, { boxShadow: "inset 0 0 0 0 transparent" }],
        FLASH_MS,
      );
    }
  }

  apply(choices: ToolChoices): void {
    this.#choices = choices;
    this.#paint(false);
  }

  resize(): void {
    this.#paint(false);
  }

  destroy(): void {
    this.#leaving.abort();
    this.#root.remove();
  }

  /** Draws everything anew; what changed in the step moves where the step is new. */
  #paint(isNew: boolean): void {
    const { clientWidth: width, clientHeight: height } = this.#root;
    const [view, art, options] = [this.#view, this.#art, this.#options];
    if (view === null || art === null || options === null || width === 0 || height === 0) {
      return;
    }
    const now = asMorphogenesis(view.state);
    const layout = layOut(width, height, now.flow, now.hosts.length);
    const moves = isNew && !view.reducedMotion;
    const marks = isNew || view.reducedMotion ? marksOf(view.frame, options.manifests) : [];
    const slots = layout.rows.flatMap((row) => row.stations.filter(({ station }) => station.kind === "slot"));
    const middle = { x: width / 2, y: layout.rows[0]?.y ?? 0 };
    const picture = draw(
      "svg",
      { width, height, viewBox: `0 0 ${width} ${height}` },
      header(now, width),
      ...lines(layout, width),
      ...layout.rows.flatMap((row) =>
        row.stations.map((placed) =>
          placed.station.kind === "slot"
            ? drawSlot(placed, this.#lookAt(now, placed.station.slot_id ?? "", moves), layout, art)
            : drawStation(placed, layout),
        ),
      ),
      drawMarks(marks, slots, middle, layout.scale, view.reducedMotion, art),
      now.is_rolling_back
        ? draw("rect", { x: 2, y: 2, width: width - 4, height: height - 4, rx: 12, class: "alarm" })
        : null,
      layout.caption === null ? null : caption(now, layout.caption, width),
      layout.chart === null
        ? null
        : drawChart(now, chartOf(this.#choices.chart), this.#choices.lanes !== false, layout.chart, art),
      layout.hosts === null ? null : drawHosts(now, layout.hosts, art),
    );
    this.#root.replaceChildren(picture);
  }

  #lookAt(now: MorphogenesisState, slotId: string, moves: boolean) {
    const place = now.slots.findIndex(({ slot_id }) => slot_id === slotId);
    const slot = now.slots[place];
    if (slot === undefined) {
      throw new Error(`the flow names slot ${slotId}, which the host does not have`);
    }
    const before = this.#view?.previous;
    const seedBefore = before === undefined ? undefined : slotOf(asMorphogenesis(before), slotId)?.seed;
    const measured = now.slots.flatMap(({ seed }) => (seed?.contribution == null ? [] : [Math.abs(seed.contribution)]));
    return {
      slot,
      mostPoints: Math.max(5, ...measured),
      isChosen: this.#view?.subject === slotId,
      canPlant: now.refusals.GERMINATE[place] === "",
      alphaBefore: moves ? (seedBefore?.alpha ?? null) : null,
      clip: `${this.#name}-${slotId}`,
    };
  }

  #click(event: MouseEvent): void {
    const slot = (event.target as Element).closest("[data-slot]")?.getAttribute("data-slot");
    if (slot == null || this.#view === null) {
      return;
    }
    this.#options?.onSubject?.(slot);
    const now = asMorphogenesis(this.#view.state);
    // A slot with which nothing can be done is only looked at.
    if (OPS.some((op) => op !== "WAIT" && refusalOf(now, op, slot) === "")) {
      this.#options?.onPick?.(`slot.${slot}`);
    }
  }
}

function header(now: MorphogenesisState, width: number): SVGElement {
  return draw(
    "g",
    {},
    write(percent(now.accuracy), width - 16, 27, { class: "big", "text-anchor": "end" }),
    write(`epoch ${now.epoch} of ${now.max_epochs}`, width - 16, 44, { class: "dim", "text-anchor": "end" }),
  );
}

/** The line features run on; it goes on in the next row where one is not enough. */
function lines({ rows, scale }: Layout, width: number): SVGElement[] {
  return rows.map(({ from, to, y }, place) => {
    const start = place === 0 ? from + 26 * scale : 4;
    const end = place === rows.length - 1 ? to - 26 * scale : width - 4;
    return draw("path", { d: `M${start} ${y}H${end}`, class: "flow" });
  });
}

/** What the step brought, as far as there is room for it. */
function caption(now: MorphogenesisState, { x, y }: { x: number; y: number }, width: number): SVGElement | null {
  const told = eventLines(now).filter(({ isMinor }) => !isMinor);
  const text = told.map((line) => line.text).join(" · ");
  const fitting = Math.floor((width - 2 * x) / LETTER);
  const shown = text.length > fitting ? `${text.slice(0, fitting - 1).trimEnd()}…` : text;
  return shown === "" ? null : write(shown, x, y, { class: now.is_rolling_back ? "caption worse" : "caption" });
}

function chartOf(choice: string | boolean | undefined): ChartKind {
  return CHARTS.find((kind) => kind === choice) ?? "accuracy";
}
