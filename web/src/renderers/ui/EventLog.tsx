import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { EventLine } from "../renderer";
import { causesOf } from "./causes";
import classes from "./EventLog.module.css";

const SHOWN = 80;

/** What happened, newest first; a line that is opened tells what led to it. */
export function EventLog({ lines }: { lines: readonly EventLine[] }) {
  const [opened, setOpened] = useState<number | null>(null);
  const listed = lines
    .filter((line) => !line.isMinor)
    .slice(-SHOWN)
    .toReversed();
  return (
    <section className={`case ${classes.panel}`} aria-label="Events" data-testid="event-log">
      <h2 className="overline">Events</h2>
      {listed.length === 0 && <p className={classes.none}>Nothing has happened yet.</p>}
      <ul className={classes.list} tabIndex={listed.some((line) => line.cause === null) ? 0 : undefined}>
        {listed.map((line) => (
          <li key={line.id}>
            {line.cause === null ? (
              <div className={classes.line}>
                <Words line={line} />
              </div>
            ) : (
              <UnstyledButton
                className={classes.line}
                aria-expanded={opened === line.id}
                onClick={() => setOpened(opened === line.id ? null : line.id)}
              >
                <Words line={line} />
              </UnstyledButton>
            )}
            {opened === line.id && <Causes line={line} lines={lines} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Words({ line }: { line: EventLine }) {
  return (
    <>
      <span className={classes.tick}>{line.tick}</span>
      <i className={classes.tone} data-tone={line.tone} aria-hidden />
      <span>{line.text}</span>
    </>
  );
}

function Causes({ line, lines }: { line: EventLine; lines: readonly EventLine[] }) {
  const { links, isWhole } = causesOf(line, lines);
  return (
    <ol className={classes.causes} data-testid="causes">
      {links.length === 0 && isWhole && <li>Nothing led to it: the chain begins here.</li>}
      {links.map((link) => (
        <li key={link.id}>
          because at {link.tick}: {link.text}
        </li>
      ))}
      {!isWhole && <li>What led to this lies further back than what is loaded.</li>}
    </ol>
  );
}
