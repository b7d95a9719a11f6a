import { objectAt, textAt } from "./json";
import type { LiveView } from "./LiveStore";

/** Returns how somebody is called; whatever is not the id of anybody stays as it is. */
export function namesIn(view: LiveView): (id: string) => string {
  const agents = objectAt(view.state.agents);
  return (id) => textAt(agents, id, "name") ?? id;
}
