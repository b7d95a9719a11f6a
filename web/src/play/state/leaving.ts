import { deleteSession } from "./calls";

/** A page that comes straight back (React mounts twice while developing) keeps its session. */
const GRACE_MS = 1500;

const leaving = new Map<string, number>();

/** Deletes a session soon, unless `keep` is called for it before. */
export function leave(id: string): void {
  leaving.set(
    id,
    window.setTimeout(() => {
      leaving.delete(id);
      deleteSession(id);
    }, GRACE_MS),
  );
}

export function keep(id: string): void {
  window.clearTimeout(leaving.get(id));
  leaving.delete(id);
}
