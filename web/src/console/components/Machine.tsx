import { Alert, Button, Loader } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { CircleAlert, PlugZap } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { isPalette, type PaletteName } from "../../renderers/pixels/shades";
import { capitalize } from "../../shared/capitalize";
import { formatNumber } from "../../shared/format";
import { saveBlob } from "../../shared/saveFile";
import { useShortcutSection } from "../../shared/shortcuts/registry";
import { StateMessage } from "../../shared/states/StateMessage";
import classes from "../console.module.css";
import { type ConsoleRow, downloadState, restartConsole, uploadState } from "../state/calls";
import { KEY_CAPS } from "../state/keys";
import { useConsoleKeys } from "../state/useConsoleKeys";
import { useConsoleLink } from "../state/useConsoleLink";
import { useConsoleSession } from "../state/useConsoleSession";
import { ConsoleToolbar } from "./ConsoleToolbar";
import { Inspector } from "./Inspector";
import { KeyLegend } from "./KeyLegend";
import { Screen, type ScreenHandle } from "./Screen";
import { TouchPad } from "./TouchPad";

const PHOTO_SCALE = 4;

interface Props {
  console: ConsoleRow;
  program: string;
  title: string;
}

/** One console with one program: switched on when it is shown, and off when it is left. */
export function Machine({ console: row, program, title }: Props) {
  const [session, reopen] = useConsoleSession(row.world, program);
  if (session.status === "failed") {
    return (
      <div className={`case ${classes.machine}`}>
        <StateMessage
          icon={CircleAlert}
          tone="bad"
          title="The console could not be switched on"
          hint={session.message}
          action={{ label: "Try again", onClick: reopen }}
        />
      </div>
    );
  }
  if (session.status === "opening") {
    return (
      <div className={`case ${classes.machine}`} aria-busy="true">
        <div className={classes.screen}>
          <Loader role="status" aria-label="Switching on" />
        </div>
      </div>
    );
  }
  return <Running console={row} session={session.state.session_id} title={title} onReopen={reopen} />;
}

interface RunningProps {
  console: ConsoleRow;
  session: string;
  title: string;
  onReopen: () => void;
}

function Running({ console: row, session, title, onReopen }: RunningProps) {
  const screen = useRef<ScreenHandle>(null);
  const paint = useCallback((packed: Uint8Array) => screen.current?.paint(packed), []);
  const running = useConsoleLink(session, row, paint);
  useConsoleKeys(running);
  useShortcutSection(useMemo(() => shortcuts(row.keys), [row.keys]));
  const [stored, storePalette] = useLocalStorage<PaletteName>({
    key: "diorama.palette",
    defaultValue: "grey",
    getInitialValueInEffect: false,
  });
  const palette = isPalette(stored) ? stored : "grey";
  const [isInspecting, setInspecting] = useState(false);
  const { figures, isPaused, speed } = running;
  useEffect(() => {
    if (figures.isTrapped) {
      setInspecting(true);
    }
  }, [figures.isTrapped]);

  const act = (what: string, action: () => Promise<unknown>) => {
    action().catch((failure: unknown) => {
      const message = failure instanceof Error ? failure.message : String(failure);
      notifications.show({ color: "red", title: what, message });
    });
  };
  const save = async () => {
    const { blob, fileName } = await downloadState(session);
    saveBlob(blob, fileName);
  };
  const load = async (file: File) => {
    await uploadState(session, file);
    notifications.show({ color: "teal", message: `${title} goes on from ${file.name}.` });
  };
  const photograph = async () => {
    const blob = await screen.current?.photograph(PHOTO_SCALE);
    if (blob != null) {
      saveBlob(blob, `${title}-${figures.frameCount}.png`);
    }
  };
  const pace = isPaused ? "paused" : `${formatNumber(figures.rate)} frames/s`;
  return (
    <>
      <section className={`case ${classes.machine}`} aria-label={title}>
        <ConsoleToolbar
          running={running}
          palette={palette}
          stateSuffix={row.state_suffix}
          isInspecting={isInspecting}
          onPalette={storePalette}
          onRestart={() => act("Not reset", () => restartConsole(session))}
          onSave={() => act("Not saved", save)}
          onLoad={(file) => act("The state was not loaded", () => load(file))}
          onPhotograph={() => act("No picture was taken", photograph)}
          onInspect={() => setInspecting(!isInspecting)}
        />
        <Screen rows={row.rows} columns={row.columns} palette={palette} label={`Screen of ${title}`} handle={screen}>
          {running.end !== null && (
            <div className={classes.cover} role="alert">
              <p>{running.end}</p>
              <Button leftSection={<PlugZap size={16} aria-hidden />} onClick={onReopen}>
                Switch on again
              </Button>
            </div>
          )}
        </Screen>
        {figures.isTrapped && (
          <Alert color="red" icon={<CircleAlert size={18} />} mx="md">
            The processor met something that is no instruction and stopped. Reset, or load a state.
          </Alert>
        )}
        <p className={`tabular ${classes.figures}`}>
          <b>{title}</b>
          <span data-testid="console-frame">frame {figures.frameCount.toLocaleString("en")}</span>
          <span>{pace}</span>
          {speed !== 1 && <span>{speed}× speed</span>}
        </p>
        <KeyLegend keys={row.keys} mask={running.mask} />
        <TouchPad running={running} />
      </section>
      <Inspector
        session={session}
        isOpen={isInspecting}
        isPaused={isPaused}
        frameCount={figures.frameCount}
        palette={palette}
        onClose={() => setInspecting(false)}
      />
    </>
  );
}

function shortcuts(keys: readonly string[]) {
  return {
    title: "Console",
    shortcuts: [
      ...keys.map((name) => ({ keys: [KEY_CAPS[name] ?? name], does: capitalize(name) })),
      { keys: ["Space"], does: "Pause or go on" },
      { keys: ["."], does: "Run one frame" },
    ],
  };
}
