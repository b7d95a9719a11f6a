import { AppShell } from "@mantine/core";
import type { ReactNode } from "react";
import { ConnectionBanner } from "./connection/ConnectionBanner";
import { Header } from "./header/Header";
import classes from "./Shell.module.css";
import { ShortcutHelp } from "./shortcuts/ShortcutHelp";

export function Shell({ children }: { children: ReactNode }) {
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to the content
      </a>
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
