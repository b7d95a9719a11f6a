import type { ReactNode } from "react";
import type { PageKey } from "./hotkeys";

/** How a person decides: one action after another, or orders that are carried out as time passes. */
export interface Controls {
  /** What is chosen or in force, by index over the options of all heads. */
  chosen: ReadonlySet<number>;
  /** Does an action, or gives an order. */
  act: (action: number) => void;
  /** Chooses an action without doing it. */
  select: (action: number) => void;
  /** Does a whole decision: options of one or more heads that belong together. */
  follow: (actions: readonly number[]) => void;
  /** The heads that are asked for now, in the order they are asked; all of them where absent. */
  asked?: readonly string[];
  /** Why an option cannot go with what is chosen; empty where it can. */
  refusalOf?: (action: number) => string;
  /** Whether something goes on by itself. */
  isRunning: boolean;
  /** Ends whatever goes on by itself. */
  stop: () => void;
  /** The buttons of this way of deciding. */
  buttons: ReactNode;
  keys: readonly PageKey[];
}
