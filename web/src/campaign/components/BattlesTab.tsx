import { Text } from "@mantine/core";
import { capitalize } from "../../shared/capitalize";
import type { Recording } from "../state/calls";
import type { CampaignView } from "../state/view";
import book from "./Book.module.css";
import { nameOf } from "./PlaceTab";
import { WatchBattle } from "./WatchBattle";

interface Props {
  id: string;
  view: CampaignView;
  recordings: readonly Recording[];
}

/** The battles that were fought, newest first. */
export function BattlesTab({ id, view, recordings }: Props) {
  if (view.battles.length === 0) {
    return (
      <Text c="dimmed" size="sm" p="md">
        No battle has been fought yet.
      </Text>
    );
  }
  return (
    <ul className={`${book.book} ${book.entries}`}>
      {view.battles.toReversed().map((battle) => {
        const recording = recordings.find((one) => one.battle_id === battle.battle_id);
        return (
          <li key={battle.battle_id}>
            <div className={book.dim}>
              Day {battle.day}, {nameOf(view, battle.node)}
            </div>
            <div>{capitalize(battle.summary)}.</div>
            {recording !== undefined && <WatchBattle id={id} recording={recording} />}
          </li>
        );
      })}
    </ul>
  );
}
