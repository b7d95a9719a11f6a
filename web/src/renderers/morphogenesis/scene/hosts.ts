import type { HostState, MorphogenesisState } from "../state";
import { percent, points, sideOf } from "../words";
import type { Art } from "./art";
import type { Box } from "./layout";
import { draw, write } from "./svg";

const CARD = 112;

/** Draws all hosts of a run in short: accuracy, gain and a dot for every slot. */
export function drawHosts({ hosts, env_id }: MorphogenesisState, box: Box, art: Art): SVGElement {
  const fitting = Math.max(1, Math.floor(box.width / CARD));
  const shown = hosts.slice(0, hosts.length > fitting ? fitting - 1 : fitting);
  const width = Math.min(CARD * 1.5, box.width / Math.min(fitting, hosts.length));
  const rest = hosts.length - shown.length;
  return draw(
    "g",
    { class: "hosts" },
    ...shown.map((host, place) =>
      card(host, box.x + place * width, box.y, width - 6, box.height, host.env_id === env_id, art),
    ),
    rest > 0
      ? write(`and ${rest} more`, box.x + shown.length * width + 6, box.y + box.height / 2 + 4, { class: "dim" })
      : null,
  );
}

function card(
  host: HostState,
  x: number,
  y: number,
  width: number,
  height: number,
  isOwn: boolean,
  art: Art,
): SVGElement {
  const step = Math.min(13, (width - 16) / Math.max(1, host.seeds.length));
  return draw(
    "g",
    { "data-host": host.env_id },
    draw("rect", {
      x,
      y,
      width,
      height,
      rx: 7,
      class: `card${isOwn ? " chosen" : ""}${host.is_rolling_back ? " panic" : ""}`,
    }),
    write(`#${host.env_id}  ${percent(host.accuracy)}`, x + 8, y + 14, { class: "strong" }),
    write(points(host.gain), x + width - 8, y + 14, {
      class: sideOf(host.gain),
      "text-anchor": "end",
    }),
    ...host.seeds.map((seed, place) =>
      draw("circle", {
        cx: x + 13 + place * step,
        cy: y + height - 10,
        r: seed === null ? 3 : 3 + 2 * seed[1],
        fill: art.stageColor(seed?.[0] ?? "dormant"),
        opacity: seed === null ? 0.4 : 1,
      }),
    ),
  );
}
