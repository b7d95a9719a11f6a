import { NativeSelect } from "@mantine/core";
import { capitalize } from "../../shared/capitalize";
import { Fact } from "../../shared/Fact";
import { formatWholePercent } from "../../shared/format";
import type { CampaignView, MapNode } from "../state/view";
import { amountWords, plain } from "../state/words";
import book from "./Book.module.css";
import { HubBook } from "./HubBook";

interface Props {
  view: CampaignView;
  selected: string | null;
  onSelect: (id: string) => void;
}

/** The chosen place: a hub with its books, a site, or what there is to know about open water. */
export function PlaceTab({ view, selected, onSelect }: Props) {
  const fleet = view.fleets.find((one) => one.id === selected);
  const at = fleet?.node ?? fleet?.passage?.target ?? selected;
  const node = view.nodes.find((one) => one.id === at) ?? view.nodes[0];
  if (node === undefined) {
    return null;
  }
  const hub = view.hubs.find((one) => one.id === node.id);
  return (
    <div className={book.book}>
      <div className={book.line}>
        <NativeSelect
          aria-label="Place"
          value={node.id}
          data={view.nodes.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => onSelect(event.currentTarget.value)}
        />
        <span className={book.dim}>{weatherWords(node)}</span>
      </div>
      {hub === undefined ? <OtherPlace node={node} view={view} /> : <HubBook hub={hub} view={view} />}
    </div>
  );
}

function OtherPlace({ node, view }: { node: MapNode; view: CampaignView }) {
  const site = view.sites.find((one) => one.id === node.id);
  const fleets = view.fleets.filter((fleet) => fleet.node === node.id);
  const lanes = view.lanes
    .filter(({ a, b }) => a === node.id || b === node.id)
    .map(({ a, b, days }) => `${nameOf(view, a === node.id ? b : a)} ${days} d`);
  return (
    <dl className={book.facts}>
      {site !== undefined && (
        <>
          <Fact label="Works for" value={nameOf(view, site.hub)} />
          <Fact label="Makes" value={amountWords(site.facilities)} />
          <Fact label="In store" value={amountWords(site.store)} />
          <Fact
            label="State"
            value={[
              `${formatWholePercent(site.condition)} whole`,
              ...(site.is_cut_off ? ["cut off"] : []),
              ...(site.is_sabotaged ? ["sabotaged"] : []),
            ].join(", ")}
          />
        </>
      )}
      <Fact label="Fleets here" value={fleets.map((fleet) => fleet.name).join(", ") || "none"} />
      <Fact label="Lanes" value={lanes.join(", ")} />
      {node.is_chokepoint && <Fact label="Chokepoint" value="Whoever holds it decides what passes." />}
    </dl>
  );
}

export function nameOf(view: CampaignView, node: string | null): string {
  return view.nodes.find((one) => one.id === node)?.name ?? "open sea";
}

function weatherWords({ weather }: MapNode): string {
  const rain = weather.precipitation === "NONE" ? "" : `, ${plain(weather.precipitation)}`;
  const fog = weather.is_foggy ? ", fog" : "";
  return capitalize(
    `sea state ${weather.sea_state.toFixed(1)}, sight ${Math.round(weather.visibility_km)} km${rain}${fog}`,
  );
}
