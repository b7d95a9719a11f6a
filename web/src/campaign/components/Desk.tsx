import { Alert, Button, Tabs } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Flag, Swords } from "lucide-react";
import { useMemo, useState } from "react";
import { capitalize } from "../../shared/capitalize";
import campaign from "../campaign.module.css";
import type { CampaignState } from "../state/calls";
import { useCampaignActions } from "../state/useCampaign";
import { type CampaignView, readView } from "../state/view";
import { briefingWords } from "../state/words";
import { BattleDialog } from "./BattleDialog";
import { BattlesTab } from "./BattlesTab";
import classes from "./Desk.module.css";
import { FactionsTab } from "./FactionsTab";
import { FleetsTab } from "./FleetsTab";
import { MissionsTab } from "./MissionsTab";
import { NewsPanel } from "./NewsPanel";
import { OrdersPanel } from "./OrdersPanel";
import { PlaceTab } from "./PlaceTab";
import { RoutesTab } from "./RoutesTab";
import { StrategicMap } from "./StrategicMap";
import { TopBar } from "./TopBar";

/** Where a campaign is played: the clock on top, the map, its books below, orders and news beside. */
export function Desk({ state }: { state: CampaignState }) {
  const id = state.campaign_id;
  useDocumentTitle(`${state.name} · Diorama`);
  const view = useMemo(() => readView(state.view), [state.view]);
  const actions = useCampaignActions(id);
  const [selected, setSelected] = useState<string | null>(() => homeOf(view));
  const [tab, setTab] = useState<string | null>("place");
  const [isBattleOpen, setBattleOpen] = useState(true);
  const select = (chosen: string) => {
    setSelected(chosen);
    setTab(view.fleets.some((fleet) => fleet.id === chosen) ? "fleets" : "place");
  };
  const waiting = view.pending_battle;
  return (
    <div className={`${campaign.page} ${campaign.colors}`}>
      <div className={classes.desk}>
        <TopBar id={id} name={state.name} view={view} actions={actions} />
        {waiting !== null && (
          <Alert className={classes.whole} color="red" icon={<Swords size={18} aria-hidden />} title="A battle waits">
            <div className={classes.noticeRow}>
              <span>{briefingWords(waiting).opening[0]}</span>
              <Button size="xs" onClick={() => setBattleOpen(true)}>
                Open the briefing
              </Button>
            </div>
          </Alert>
        )}
        {view.ending !== null && (
          <Alert
            className={classes.whole}
            icon={<Flag size={18} aria-hidden />}
            title={`Over on day ${view.ending.day}`}
          >
            {endWords(view)}
          </Alert>
        )}
        <StrategicMap view={view} selected={selected} onSelect={select} />
        <OrdersPanel view={view} actions={actions} selected={selected} />
        <section className={`case ${classes.books}`} aria-label="Books">
          <Tabs value={tab} onChange={setTab} keepMounted={false}>
            <Tabs.List className={classes.tabs}>
              <Tabs.Tab value="place">Place</Tabs.Tab>
              <Tabs.Tab value="fleets">Fleets</Tabs.Tab>
              <Tabs.Tab value="factions">Factions</Tabs.Tab>
              <Tabs.Tab value="missions">Missions</Tabs.Tab>
              <Tabs.Tab value="routes">Trade</Tabs.Tab>
              <Tabs.Tab value="battles">Battles</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="place">
              <PlaceTab view={view} selected={selected} onSelect={select} />
            </Tabs.Panel>
            <Tabs.Panel value="fleets">
              <FleetsTab view={view} selected={selected} onSelect={select} />
            </Tabs.Panel>
            <Tabs.Panel value="factions">
              <FactionsTab view={view} />
            </Tabs.Panel>
            <Tabs.Panel value="missions">
              <MissionsTab view={view} actions={actions} />
            </Tabs.Panel>
            <Tabs.Panel value="routes">
              <RoutesTab view={view} />
            </Tabs.Panel>
            <Tabs.Panel value="battles">
              <BattlesTab id={id} view={view} recordings={state.recordings} />
            </Tabs.Panel>
          </Tabs>
        </section>
        <NewsPanel id={id} view={view} recordings={state.recordings} />
      </div>
      <BattleDialog
        id={id}
        view={view}
        actions={actions}
        recordings={state.recordings}
        isOpen={isBattleOpen}
        onOpenChange={setBattleOpen}
      />
    </div>
  );
}

function homeOf(view: CampaignView): string | null {
  return (view.hubs.find((hub) => hub.owner === view.player) ?? view.hubs[0])?.id ?? null;
}

function endWords(view: CampaignView): string {
  const winner = view.factions.find((faction) => faction.id === view.ending?.winner)?.name;
  const place = winner === undefined ? "Nobody is ahead." : `First place: the ${winner}.`;
  return `${capitalize(view.ending?.reason ?? "")}. ${place}`;
}
