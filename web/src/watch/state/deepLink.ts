/** Addresses of the page: `/watch/{run}/{replay}?t=&with=run/replay`. `t` is simulated time in ticks, as frames carry it. */

export interface ReplayRef {
  run: string;
  replay: string;
}

export interface WatchLink {
  t: number | null;
  compare: ReplayRef | null;
}

const ID = /^(champion:)?[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Returns the replay that the path of an address names, or null. */
export function parsePath(pathname: string): ReplayRef | null {
  const named = /^\/watch\/([^/]+\/[^/]+)\/?$/.exec(pathname)?.[1];
  return parseRef(named === undefined ? null : decodeRun(named));
}

export function parseSearch(search: string): WatchLink {
  const parameters = new URLSearchParams(search);
  const t = Number(parameters.get("t") ?? Number.NaN);
  return { t: Number.isFinite(t) && t >= 0 ? t : null, compare: parseRef(parameters.get("with")) };
}

export function parseRef(text: string | null): ReplayRef | null {
  const [run, replay, ...rest] = (text ?? "").split("/");
  if (run === undefined || replay === undefined || rest.length > 0 || !ID.test(run) || !ID.test(replay)) {
    return null;
  }
  return { run, replay };
}

/** Returns the address of a run, which leads to its best replay. */
export function runAddress(run: string): string {
  return `/watch/${encodeId(run)}`;
}

/** Returns the run that a part of an address names; a browser or a mail may have encoded the colon of a champion. */
export function decodeRun(part: string): string {
  return part.replaceAll(/%3a/gi, ":");
}

/** The colon of a champion may stand in an address, and a router hands parts on as they stand there. */
function encodeId(id: string): string {
  return decodeRun(encodeURIComponent(id));
}

/** Returns the address of a moment of a replay; the start needs no `t`. */
export function watchAddress(ref: ReplayRef, t: number, compare: ReplayRef | null = null): string {
  const parameters: string[] = [];
  if (t > 0) {
    parameters.push(`t=${Math.round(t)}`);
  }
  if (compare !== null) {
    parameters.push(`with=${encodeId(compare.run)}/${encodeId(compare.replay)}`);
  }
  const path = `${runAddress(ref.run)}/${encodeId(ref.replay)}`;
  return parameters.length > 0 ? `${path}?${parameters.join("&")}` : path;
}
