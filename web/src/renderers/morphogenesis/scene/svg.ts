const NAMESPACE = "http://www.w3.org/2000/svg";

export type Attributes = Readonly<Record<string, string | number | undefined>>;
export type Child = SVGElement | string | null;

/** Makes an element of a picture; an attribute that is undefined is left out, and so is a child that is null. */
export function draw(name: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) {
      made.setAttribute(key, typeof value === "number" ? `${round(value)}` : value);
    }
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A line of text. */
export function write(text: string, x: number, y: number, attributes: Attributes = {}): SVGElement {
  return draw("text", { x, y, ...attributes }, text);
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
