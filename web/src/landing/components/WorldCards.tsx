import { Skeleton, Stack, Title } from "@mantine/core";
import { Box } from "lucide-react";
import { useWorlds } from "../../api/queries";
import { QueryError } from "../../shared/states/QueryError";
import { StateMessage } from "../../shared/states/StateMessage";
import classes from "../landing.module.css";
import { WorldCard } from "./WorldCard";

/** One card per installed world, whatever their number. */
export function WorldCards() {
  const worlds = useWorlds();
  return (
    <Stack component="section" gap="md" aria-labelledby="worlds-title">
      <Title order={2} size="h3" id="worlds-title">
        Worlds
      </Title>
      <WorldCardList worlds={worlds} />
    </Stack>
  );
}

function WorldCardList({ worlds }: { worlds: ReturnType<typeof useWorlds> }) {
  if (worlds.data === undefined) {
    if (worlds.error !== null) {
      return <QueryError error={worlds.error} what="the worlds" onRetry={() => void worlds.refetch()} />;
    }
    return <Skeleton h={280} radius="lg" role="status" aria-label="Loading the worlds" />;
  }
  const { worlds: ids, summaries } = worlds.data;
  if (ids.length === 0) {
    return <StateMessage icon={Box} title="No world is installed" isCompact />;
  }
  return (
    <div className={classes.cards} data-count={ids.length}>
      {ids.map((world) => (
        <WorldCard key={world} world={world} summary={summaries[world] ?? ""} />
      ))}
    </div>
  );
}
