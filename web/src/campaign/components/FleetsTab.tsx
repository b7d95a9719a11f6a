import { Table, UnstyledButton } from "@mantine/core";
import { capitalize } from "../../shared/capitalize";
import { formatPercent } from "../../shared/format";
import { bannerOf } from "../state/banners";
import type { CampaignView, Fleet } from "../state/view";
import { amountWords, plain, shipWords } from "../state/words";
import book from "./Book.module.css";
import { Emblem } from "./Emblem";
import classes from "./FleetsTab.module.css";
import { nameOf } from "./PlaceTab";

interface Props {
  view: CampaignView;
  selected: string | null;
  onSelect: (id: string) => void;
}

/** All fleets; the ships of the chosen one. */
export function FleetsTab({ view, selected, onSelect }: Props) {
  const chosen = view.fleets.find((fleet) => fleet.id === selected);
  return (
    <div className={book.book}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label="Table of fleets">
        <Table verticalSpacing={6} horizontalSpacing="sm" fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Fleet</Table.Th>
              <Table.Th>Where</Table.Th>
              <Table.Th>Ships</Table.Th>
              <Table.Th>Stance</Table.Th>
              <Table.Th>Supply</Table.Th>
              <Table.Th>Hulls</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {view.fleets.map((fleet) => (
              <Table.Tr key={fleet.id} data-selected={fleet.id === selected} className={classes.row}>
                <Table.Td>
                  <UnstyledButton
                    className={classes.rowButton}
                    aria-pressed={fleet.id === selected}
                    onClick={() => onSelect(fleet.id)}
                  >
                    <Emblem banner={bannerOf(fleet.owner, view.factions)} size={14} /> {fleet.name}
                  </UnstyledButton>
                </Table.Td>
                <Table.Td>{whereabouts(view, fleet)}</Table.Td>
                <Table.Td>{shipWords(fleet.ships.map((ship) => ship.class_id))}</Table.Td>
                <Table.Td>{capitalize(plain(fleet.stance))}</Table.Td>
                <Table.Td className="tabular">{Math.round(fleet.supply_days)} days</Table.Td>
                <Table.Td className="tabular">{formatPercent(fleet.condition)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {chosen !== undefined && <Ships fleet={chosen} />}
    </div>
  );
}

function Ships({ fleet }: { fleet: Fleet }) {
  return (
    <>
      <h3 className="overline">
        {fleet.name}
        {fleet.commander === null ? "" : `, commanded by ${fleet.commander.name}`}
        {Object.keys(fleet.cargo).length > 0 ? `, carries ${amountWords(fleet.cargo)}` : ""}
      </h3>
      <ul className={classes.ships}>
        {fleet.ships.map((ship) => (
          <li key={ship.id}>
            <b>{ship.name}</b> <span>{plain(ship.class_id)}</span>
            <span className="tabular">
              hull {formatPercent(ship.hp_share)}, crew {formatPercent(ship.crew_share)}, shells{" "}
              {formatPercent(ship.ammo_share)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function whereabouts(view: CampaignView, fleet: Fleet): string {
  const goal = fleet.path.at(-1);
  const bound = goal === undefined ? "" : `, bound for ${nameOf(view, goal)}`;
  if (fleet.passage === null) {
    return `${nameOf(view, fleet.node)}${bound}`;
  }
  return `${fleet.passage.days_left.toFixed(1)} days from ${nameOf(view, fleet.passage.target)}${bound}`;
}
