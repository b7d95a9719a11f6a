import classes from "./SkipLink.module.css";

/** Spares those who walk by keyboard what stands between here and a place; seen only when it is reached. */
export function SkipLink({ to, children }: { to: string; children: string }) {
  return (
    <a className={classes.skip} href={`#${to}`}>
      {children}
    </a>
  );
}
