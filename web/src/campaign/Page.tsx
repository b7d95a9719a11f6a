import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Compass } from "lucide-react";
import { useParams } from "wouter";
import { ApiError } from "../api/errors";
import { PageName } from "../shared/PageName";
import { QueryError } from "../shared/states/QueryError";
import { StateMessage } from "../shared/states/StateMessage";
import classes from "./campaign.module.css";
import { Desk } from "./components/Desk";
import desk from "./components/Desk.module.css";
import { Lobby } from "./components/Lobby";
import { campaignQuery } from "./state/calls";

/** Campaigns: the list of them, or one at its desk. */
export default function CampaignPage() {
  const { id } = useParams<{ id?: string }>();
  return id === undefined ? <Lobby /> : <OneCampaign key={id} id={id} />;
}

const NOT_THERE = [404, 422];

function OneCampaign({ id }: { id: string }) {
  const campaign = useQuery(campaignQuery(id));
  return campaign.data === undefined ? (
    <>
      <PageName name="Campaign" />
      {campaign.error === null ? (
        <DeskSkeleton />
      ) : (
        <NoCampaign error={campaign.error} onRetry={() => void campaign.refetch()} />
      )}
    </>
  ) : (
    <Desk state={campaign.data} />
  );
}

function NoCampaign({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && NOT_THERE.includes(error.status)) {
    return (
      <StateMessage
        icon={Compass}
        title="No campaign at this address"
        hint="It was deleted, or the address is not complete."
        action={{ label: "All campaigns", href: "/campaign" }}
      />
    );
  }
  return <QueryError error={error} what="the campaign" onRetry={onRetry} isCompact={false} />;
}

function DeskSkeleton() {
  return (
    <div className={classes.page} aria-busy="true">
      <div className={desk.desk}>
        <Skeleton className={desk.whole} h={64} radius="lg" />
        <Skeleton h={520} radius="lg" />
        <Skeleton h={520} radius="lg" />
      </div>
    </div>
  );
}
