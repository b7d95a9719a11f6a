import { Tooltip, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { formatWholePercent } from "../../shared/format";
import type { DeckAction, DeckGroup } from "../state/deck";
import { keyLabel } from "../state/hotkeys";
import classes from "./ActionDeck.module.css";

const SHORT_FAMILY = 3;

interface Props {
  groups: readonly DeckGroup[];
  /** What is selected or in force, by index. */
  chosen: ReadonlySet<number>;
  /** Actions worth considering, by index, with the reason. */
  suggested: ReadonlyMap<number, string>;
  /** Probabilities of a trained policy, or null without one. */
  probabilities: readonly number[] | null;
  onAct: (action: number) => void;
  onSelect: (action: number) => void;
}

/** Every action of the world in its groups; what cannot be done now is gray and says why. */
export function ActionDeck({ groups, ...rest }: Props) {
  return (
    <div className={classes.deck} data-testid="deck">
      {groups.map((group) => (
        <section key={group.id} className={`case ${classes.group}`} aria-label={group.title}>
          <header className={classes.head}>
            <h2>{group.title}</h2>
            <p>{group.description}</p>
          </header>
          {group.rows.map((row) => (
            <div
              key={row.family ?? row.actions[0]?.key}
              className={classes.row}
              data-short={row.family !== null && row.actions.length <= SHORT_FAMILY}
            >
              {row.family !== null && <span className={classes.family}>{row.family}</span>}
              <div className={classes.keys} data-compact={row.family !== null}>
                {row.actions.map((action) => (
                  <ActionKey key={action.action} action={action} {...rest} />
                ))}
              </div>
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}

function ActionKey({
  action,
  chosen,
  suggested,
  probabilities,
  onAct,
  onSelect,
}: Omit<Props, "groups"> & { action: DeckAction }) {
  const why = suggested.get(action.action);
  const probability = probabilities?.[action.action] ?? null;
  return (
    <Tooltip
      label={<KeyHelp action={action} why={why} probability={probability} />}
      multiline
      maw={300}
      openDelay={200}
    >
      <UnstyledButton
        className={classes.key}
        aria-disabled={!action.isOpen}
        aria-pressed={chosen.has(action.action)}
        aria-keyshortcuts={action.hotkey === " " ? "Space" : (action.hotkey ?? undefined)}
        data-suggested={action.isOpen && why !== undefined}
        data-action={action.action}
        onClick={(event) => {
          if (!action.isOpen) {
            return;
          }
          if (event.shiftKey) {
            onSelect(action.action);
          } else {
            onAct(action.action);
          }
        }}
      >
        <span>{action.text.short ?? action.text.title}</span>
        <VisuallyHidden>{saidBeside(action)}</VisuallyHidden>
        {action.hotkey !== null && keyLabel(action.hotkey) !== action.text.short && (
          <kbd className={classes.hotkey} aria-hidden>
            {keyLabel(action.hotkey)}
          </kbd>
        )}
        {probability !== null && probability >= 0.005 && (
          <>
            <span className={classes.percent} aria-hidden>
              {formatWholePercent(probability)}
            </span>
            <span className={classes.bar} style={{ width: `${probability * 100}%` }} />
          </>
        )}
      </UnstyledButton>
    </Tooltip>
  );
}

/** What is not written on the key but belongs to its name; it is read after a space. */
function saidBeside({ text, isOpen, reason }: DeckAction): string {
  const title = text.short === undefined || text.short === text.title ? [] : [text.title];
  return [...title, ...(isOpen ? [] : [reason])].map((part) => `– ${part}`).join(" ");
}

function KeyHelp({
  action,
  why,
  probability,
}: {
  action: DeckAction;
  why: string | undefined;
  probability: number | null;
}) {
  return (
    <div className={classes.help}>
      <strong>{action.text.title}</strong>
      {action.text.detail !== "" && <span>{action.text.detail}</span>}
      {!action.isOpen && <span className={classes.reason}>Not now: {action.reason}.</span>}
      {action.isOpen && why !== undefined && <span className={classes.why}>{why}</span>}
      {probability !== null && <span>The policy would do this {formatWholePercent(probability)} of the time.</span>}
      <span className={classes.label}>
        {action.key}
        {action.hotkey !== null && `, key ${keyLabel(action.hotkey)}`}
      </span>
    </div>
  );
}
