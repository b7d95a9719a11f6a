import type { ReactNode } from "react";
import classes from "./Facts.module.css";

/** A list of facts in two columns; its entries are `Fact`s. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}
