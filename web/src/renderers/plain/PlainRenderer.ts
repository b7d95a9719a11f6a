import type { MountOptions, View, WorldRenderer } from "../renderer";
import { humanize } from "../ui/labels";
import { type Board, isEmpty, kindOf } from "./board";
import { factsOf } from "./facts";
import classes from "./plain.module.css";

const COLORS = 8;

/** Shows what a world tells about a moment: planes of cells as boards, everything else as lines. */
export class PlainRenderer implements WorldRenderer {
  readonly #root = element("div", classes.root);
  #shown = "";

  async mount(host: HTMLElement, _options: MountOptions): Promise<void> {
    this.#root.setAttribute("aria-hidden", "true");
    host.append(this.#root);
  }

  show({ state }: View): void {
    const { boards, lines, legend } = factsOf(state);
    const text = JSON.stringify({ boards, lines, legend });
    if (text === this.#shown) {
      return;
    }
    this.#shown = text;
    const planes = boards.flatMap(({ key, board }) => [
      ...(boards.length > 1 ? [element("h3", classes.title, humanize(key))] : []),
      plane(board, legend),
    ]);
    const table = element("dl", classes.lines);
    table.append(
      ...lines.flatMap(({ label, text }) => [element("dt", classes.label, label), element("dd", classes.value, text)]),
    );
    this.#root.replaceChildren(...planes, ...(lines.length > 0 ? [table] : []));
  }

  /** The page scales the boards. */
  resize(): void {}

  destroy(): void {
    this.#root.remove();
  }
}

function plane(board: Board, legend: Readonly<Record<string, string>>): HTMLElement {
  const named = Object.keys(legend);
  const made = element("div", classes.board);
  made.style.setProperty("--columns", String(board[0]?.length ?? 1));
  made.style.setProperty("--rows", String(board.length));
  made.append(...board.flat().map((cell) => square(cell, named, legend[cell] ?? "")));
  if (named.length === 0) {
    return made;
  }
  const whole = element("div", classes.plane);
  const key = element("div", classes.legend);
  key.append(
    ...named.map((cell) => {
      const entry = element("span", classes.entry);
      entry.append(square(cell, named, ""), legend[cell] ?? "");
      return entry;
    }),
  );
  whole.append(made, key);
  return whole;
}

function square(cell: string, named: readonly string[], title: string): HTMLElement {
  const drawn = element("span", classes.cell, isEmpty(cell) ? "" : cell);
  drawn.dataset.kind = isEmpty(cell) ? "empty" : String(kindOf(cell, named) % COLORS);
  drawn.title = title;
  return drawn;
}

function element(tag: string, className: string | undefined, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = className ?? "";
  made.textContent = text;
  return made;
}
