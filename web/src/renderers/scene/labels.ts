import { type Bounds, Container, Text } from "pixi.js";

/** Letters on the picture; those of the last drawing are used again. */
export class Labels {
  readonly view = new Container();
  readonly #pool: Text[] = [];
  #used = 0;
  #taken: Bounds[] = [];

  /** Begins a drawing. */
  begin(): void {
    this.#used = 0;
    this.#taken = [];
  }

  /** Writes where nothing is written yet, else not at all. */
  putIfFree(...[text, x, y, look]: Parameters<Labels["put"]>): void {
    const label = this.put(text, x, y, look);
    const box = label.getBounds();
    if (this.#taken.some((other) => isOverlapping(box, other))) {
      label.visible = false;
    } else {
      this.#taken.push(box);
    }
  }

  put(text: string, x: number, y: number, { color = "#e2e8f6", size = 11, anchor = 0, alpha = 1 } = {}): Text {
    const label = this.#pool[this.#used] ?? this.#make();
    this.#used += 1;
    if (label.text !== text) {
      label.text = text;
    }
    if (label.style.fontSize !== size) {
      label.style.fontSize = size;
    }
    label.tint = color;
    label.alpha = alpha;
    // Letters between two pixels would be blurred.
    label.position.set(Math.round(x - label.width * anchor), Math.round(y));
    label.visible = true;
    return label;
  }

  /** Ends a drawing: what was not put again goes. */
  end(): void {
    for (const label of this.#pool.slice(this.#used)) {
      label.visible = false;
    }
  }

  #make(): Text {
    const label = new Text({
      text: "",
      style: {
        fontFamily: "Inter, system-ui",
        fontSize: 11,
        fontWeight: "600",
        fill: "#ffffff",
        stroke: { color: "#04121f", width: 3, join: "round" },
      },
    });
    this.#pool.push(label);
    this.view.addChild(label);
    return label;
  }
}

function isOverlapping(one: Bounds, other: Bounds): boolean {
  return one.minX < other.maxX && one.maxX > other.minX && one.minY < other.maxY && one.maxY > other.minY;
}
