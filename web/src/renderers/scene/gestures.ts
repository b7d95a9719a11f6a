import type { Point } from "../geometry";

interface Handlers {
  onPan: (dx: number, dy: number) => void;
  onZoom: (factor: number, at: Point) => void;
  onHover: (at: Point | null) => void;
  onTap: (at: Point) => void;
}

const WHEEL_STEP = 1.0015;
/** A press that moves no farther than this is a click. */
const TAP_PX = 5;

/** Listens to pointer and wheel on an element until the signal aborts. */
export function listen(element: HTMLElement, handlers: Handlers, signal: AbortSignal): void {
  const held = new Map<number, Point>();
  let moved = 0;
  let spread = 0;
  const at = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      handlers.onZoom(WHEEL_STEP ** -event.deltaY, at(event));
    },
    { signal, passive: false },
  );
  element.addEventListener(
    "pointerdown",
    (event) => {
      held.set(event.pointerId, at(event));
      moved = 0;
      spread = spreadOf(held);
    },
    { signal },
  );
  element.addEventListener(
    "pointermove",
    (event) => {
      const from = held.get(event.pointerId);
      const to = at(event);
      if (from === undefined || event.buttons === 0) {
        handlers.onHover(to);
        return;
      }
      held.set(event.pointerId, to);
      moved += Math.hypot(to.x - from.x, to.y - from.y);
      if (held.size === 1 && moved > TAP_PX) {
        element.setPointerCapture(event.pointerId);
        handlers.onPan(to.x - from.x, to.y - from.y);
      } else if (held.size === 2) {
        const now = spreadOf(held);
        handlers.onZoom(spread > 0 ? now / spread : 1, to);
        spread = now;
      }
    },
    { signal },
  );
  const release = (event: PointerEvent) => {
    if (held.delete(event.pointerId) && moved <= TAP_PX && event.type === "pointerup") {
      handlers.onTap(at(event));
    }
  };
  element.addEventListener("pointerup", release, { signal });
  element.addEventListener("pointercancel", release, { signal });
  element.addEventListener("pointerleave", () => handlers.onHover(null), { signal });
}

function spreadOf(held: ReadonlyMap<number, Point>): number {
  const [one, other] = [...held.values()];
  return one === undefined || other === undefined ? 0 : Math.hypot(one.x - other.x, one.y - other.y);
}
