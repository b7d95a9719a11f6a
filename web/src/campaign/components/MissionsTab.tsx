import { Badge, Button, Text } from "@mantine/core";
import { capitalize } from "../../shared/capitalize";
import type { CampaignActions } from "../state/useCampaign";
import type { CampaignView, Mission } from "../state/view";
import { amountWords } from "../state/words";
import book from "./Book.module.css";
import classes from "./MissionsTab.module.css";

interface Props {
  view: CampaignView;
  actions: CampaignActions;
}

/** Open missions; those offered to the player can be taken by a fleet here. */
export function MissionsTab({ view, actions }: Props) {
  if (view.missions.length === 0) {
    return (
      <Text c="dimmed" size="sm" p="md">
        No missions are open. Factions post them as their aims change.
      </Text>
    );
  }
  return (
    <ul className={`${book.book} ${book.entries}`}>
      {view.missions.map((mission) => (
        <li key={mission.number}>
          <div>
            <b>{capitalize(mission.text)}</b> <span className={book.dim}>{issuer(view, mission)}</span>
            {mission.is_offered && <Badge variant="light">offered to you</Badge>}
          </div>
          <div className={book.dim}>
            Until day {mission.deadline_day}, pays {amountWords(mission.reward)}
            {mission.fleets.length > 0 ? `; taken by ${fleetNames(view, mission)}` : ""}
          </div>
          <div className={classes.takers}>
            {view.orders
              .filter((order) => order.verb === "mission" && order.arguments[0] === `${mission.number}`)
              .map((order) => (
                <Button
                  key={order.code}
                  size="compact-sm"
                  variant="light"
                  disabled={actions.isBusy}
                  onClick={() => void actions.order(order.code)}
                >
                  {capitalize(order.text)}
                </Button>
              ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

function issuer(view: CampaignView, mission: Mission): string {
  return `for the ${view.factions.find((faction) => faction.id === mission.issuer)?.name ?? mission.issuer}`;
}

function fleetNames(view: CampaignView, mission: Mission): string {
  return mission.fleets.map((id) => view.fleets.find((fleet) => fleet.id === id)?.name ?? id).join(", ");
}
