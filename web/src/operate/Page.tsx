import { Loader, Tabs, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { RadioTower } from "lucide-react";
import { useState } from "react";
import { useSearch } from "wouter";
import { PageName } from "../shared/PageName";
import { QueryError } from "../shared/states/QueryError";
import { StateMessage } from "../shared/states/StateMessage";
import { EventFeed } from "./components/EventFeed";
import { KpiPanel } from "./components/KpiPanel";
import { LiveGauges } from "./components/LiveGauges";
import { LivePicture } from "./components/LivePicture";
import { Locked } from "./components/Locked";
import { OperateHeader } from "./components/OperateHeader";
import { PromotionPanel } from "./components/PromotionPanel";
import { Settings } from "./components/Settings";
import { StabilityPanel } from "./components/StabilityPanel";
import { StatePanel } from "./components/StatePanel";
import { StoryFeed } from "./components/StoryFeed";
import { SystemPanel } from "./components/SystemPanel";
import { TrainingPanel } from "./components/TrainingPanel";
import { ConsolePalette } from "./console/ConsolePalette";
import classes from "./operate.module.css";
import { type LiveWorldRow, livePlaceQuery } from "./state/liveAddress";
import { useToken } from "./state/token";
import { useAlertCue } from "./state/useAlertCue";
import { useOrders } from "./state/useOrders";
import { useRewind } from "./state/useRewind";
import { useTelemetry } from "./state/useTelemetry";
import { CitizenCards } from "./town/CitizenCards";
import { CitizenInspector } from "./town/CitizenInspector";
import { Lifecycle, Perturbations } from "./town/Happenings";
import { Queues, Relationships } from "./town/Society";
import { Economy, Employment } from "./town/Work";

const START = "diorama live townlet";

/** A live world: what it does, how it is, and the means to intervene. */
export default function OperatePage() {
  return (
    <>
      <PageName name="Operate" />
      <Operating />
    </>
  );
}

function Operating() {
  const [token, setToken] = useToken();
  const place = useQuery(livePlaceQuery(token));
  const wanted = new URLSearchParams(useSearch()).get("live");
  // That the token before was refused says nothing about this one.
  const isUndecided = place.isPlaceholderData && place.data?.isLocked === true;
  if (place.isPending || isUndecided) {
    return (
      <div className={classes.waiting}>
        <Loader role="status" aria-label="Looking for live worlds" />
      </div>
    );
  }
  if (place.error !== null) {
    return (
      <QueryError error={place.error} what="the live worlds" onRetry={() => void place.refetch()} isCompact={false} />
    );
  }
  if (place.data?.isLocked) {
    return <Locked token={token} onToken={setToken} />;
  }
  const world = place.data?.worlds.find(({ id }) => wanted === null || id === wanted);
  if (place.data === undefined || world === undefined) {
    return (
      <StateMessage
        icon={RadioTower}
        title="No world is live"
        hint={
          <>
            Start one with <code>{START}</code> and open the address it prints, or tell this server where it is with{" "}
            <code>diorama serve --live</code>.
          </>
        }
        action={{ label: "Look again", onClick: () => void place.refetch() }}
      />
    );
  }
  return <Operated key={world.id} base={place.data.base} live={world} />;
}

function Operated({ base, live }: { base: string; live: LiveWorldRow }) {
  const { id } = live;
  const [token, setToken] = useToken();
  const [hasCues, setCues] = useLocalStorage({ key: "diorama.alert-cue", defaultValue: false });
  const [volume, setVolume] = useLocalStorage({ key: "diorama.alert-volume", defaultValue: 0.4 });
  const [subject, setSubject] = useState<string | null>(null);
  const telemetry = useTelemetry(base, id, token);
  const orders = useOrders(base, id, token);
  const rewinding = useRewind(telemetry.view);
  useAlertCue(telemetry.view, hasCues ? volume : 0);
  const view = rewinding.shown;
  if (telemetry.connection === "refused") {
    return <Locked token={token} onToken={setToken} reason={telemetry.refusal} />;
  }
  if (view === null || telemetry.view === null) {
    return (
      <div className={classes.waiting}>
        <Loader role="status" aria-label="Waiting for the first message" />
      </div>
    );
  }
  const isTown = view.state.agents !== undefined;
  const common = { view, orders, canOperate: token !== null };
  return (
    <div className={classes.page}>
      <OperateHeader telemetry={telemetry} view={telemetry.view} orders={orders} token={token} onToken={setToken} />
      <div className={classes.layout}>
        <div className={classes.column}>
          <LivePicture world={view.world} rewinding={rewinding} subject={subject} onSubject={setSubject} />
          <KpiPanel view={view} />
          <StoryFeed view={telemetry.view} onTick={rewinding.lookAtTick} />
          <EventFeed view={telemetry.view} onTick={rewinding.lookAtTick} />
        </div>
        <Tabs defaultValue="world" keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="world">{isTown ? "Citizens" : "World"}</Tabs.Tab>
            {isTown && <Tabs.Tab value="town">Town</Tabs.Tab>}
            <Tabs.Tab value="policy">Policy</Tabs.Tab>
            <Tabs.Tab value="console">Console</Tabs.Tab>
            <Tabs.Tab value="system">System</Tabs.Tab>
          </Tabs.List>
          {token === null && (
            <Text size="xs" c="dimmed" mb="sm">
              You are watching: what changes the world takes a token.
            </Text>
          )}
          <Tabs.Panel value="world" className={classes.column}>
            {isTown ? (
              <>
                <CitizenInspector view={view} subject={subject} windowTiles={live.observation?.map?.at(-1) ?? 0} />
                <CitizenCards view={view} subject={subject} onSubject={setSubject} />
              </>
            ) : (
              <>
                <LiveGauges view={view} subject={subject} onSubject={setSubject} />
                <StatePanel view={view} />
              </>
            )}
          </Tabs.Panel>
          <Tabs.Panel value="town" className={classes.column}>
            <Employment {...common} />
            <Economy {...common} />
            <Perturbations {...common} />
            <Queues view={view} />
            <Relationships view={view} />
            <Lifecycle view={view} />
          </Tabs.Panel>
          <Tabs.Panel value="policy" className={classes.column}>
            <PromotionPanel {...common} />
            <StabilityPanel view={view} />
            <TrainingPanel base={base} id={id} token={token} />
          </Tabs.Panel>
          <Tabs.Panel value="console" className={classes.column}>
            <ConsolePalette orders={orders} canOperate={token !== null} />
          </Tabs.Panel>
          <Tabs.Panel value="system" className={classes.column}>
            <SystemPanel {...common} />
            <Settings hasCues={hasCues} onCues={setCues} volume={volume} onVolume={setVolume} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </div>
  );
}
