import { Badge } from "@mantine/core";
import { capitalize } from "../../shared/capitalize";
import { Fact } from "../../shared/Fact";
import { formatNumber, formatPercent } from "../../shared/format";
import { bannerOf } from "../state/banners";
import type { CampaignView, Faction } from "../state/view";
import { bandTone, plain } from "../state/words";
import book from "./Book.module.css";
import { Emblem } from "./Emblem";
import classes from "./FactionsTab.module.css";

/** Every faction with its aims, and how it stands with the others. */
export function FactionsTab({ view }: { view: CampaignView }) {
  return (
    <div className={`${book.book} ${classes.cards}`}>
      {view.factions.map((faction) => (
        <article key={faction.id} className={classes.card} aria-label={faction.name}>
          <h3>
            <Emblem banner={bannerOf(faction.id, view.factions)} size={18} /> {faction.name}
            {faction.is_player && <Badge variant="light">you</Badge>}
            {faction.defeated_day !== null && <Badge color="gray">defeated on day {faction.defeated_day}</Badge>}
          </h3>
          <dl className={book.facts}>
            <Fact label="Leader" value={faction.leader ?? "none"} />
            <Fact label="Score" value={faction.score.toFixed(2)} />
            <Fact label="Morale" value={formatPercent(faction.morale)} />
            <Fact label="Action points" value={faction.action_points.toFixed(0)} />
            <Fact label="Aims" value={aims(view, faction)} />
          </dl>
          <ul className={classes.relations}>
            {view.factions
              .filter((other) => other.id !== faction.id)
              .map((other) => (
                <RelationLine key={other.id} view={view} faction={faction} other={other} />
              ))}
          </ul>
        </article>
      ))}
    </div>
  );
}

interface LineProps {
  view: CampaignView;
  faction: Faction;
  other: Faction;
}

function RelationLine({ view, faction, other }: LineProps) {
  const isPair = (between: readonly string[]) => between.includes(faction.id) && between.includes(other.id);
  const relation = view.relations.find(({ between }) => isPair(between));
  const treaties = view.treaties.filter(({ between }) => isPair(between)).map(({ kind }) => plain(kind));
  const embargoes = (relation?.embargoes.length ?? 0) > 0 ? ["embargo"] : [];
  const stand = relation?.is_at_war === true ? "at war" : (relation?.band ?? "neutral");
  return (
    <li>
      <span>with the {other.name}</span>
      <b data-tone={relation?.is_at_war === true ? "bad" : bandTone(stand)}>
        {stand}
        {relation === undefined ? "" : ` (${formatNumber(relation.disposition)})`}
      </b>
      <span className={classes.treaties}>{[...treaties, ...embargoes].join(", ")}</span>
    </li>
  );
}

function aims(view: CampaignView, faction: Faction): string {
  const named = faction.goals.map(({ kind, target }) => {
    const other = view.factions.find((one) => one.id === target)?.name;
    return other === undefined ? plain(kind) : `${plain(kind)} (${other})`;
  });
  return capitalize(named.join(", ")) || "none today";
}
