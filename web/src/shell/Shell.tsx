import { AppShell } from "@mantine/core";
import type { ReactNode } from "react";
import { SkipLink } from "../shared/SkipLink";
import { ConnectionBanner } from "./connection/ConnectionBanner";
import { Header } from "./header/Header";
import classes from "./Shell.module.css";
import { ShortcutHelp } from "./shortcuts/ShortcutHelp";

export function Shell({ children }: { children: ReactNode }) {
  return (
    <>
      <SkipLink to="main">Skip to the content</SkipLink>
      <AppShell header={{ height: 60 }} padding={0}>
        <AppShell.Header className={classes.header}>
          <Header />
        </AppShell.Header>
        <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
          <ConnectionBanner />
          {children}
        </AppShell.Main>
      </AppShell>
      <ShortcutHelp />
    </>
  );
}
