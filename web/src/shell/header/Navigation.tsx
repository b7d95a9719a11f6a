import { Link, useLocation } from "wouter";
import classes from "./Header.module.css";
import { PAGES } from "./pages";

export function Navigation() {
  const [path] = useLocation();
  return (
    <nav aria-label="Pages" className={classes.navigation}>
      {PAGES.map(({ label, href, hint, icon: Icon, owns }) => (
        <Link
          key={href}
          href={href}
          className={classes.page}
          title={hint}
          aria-current={owns(path) ? "page" : undefined}
        >
          <Icon size={16} aria-hidden />
          <span>{label}</span>
        </Link>
      ))}
    </nav>
  );
}
