import { Button, Group, Skeleton, Stack, Text, Title, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ChartSpline, Gamepad2, Telescope } from "lucide-react";
import { Link } from "wouter";
import { bestReplaysQuery, championsQuery, runsQuery, useWorld } from "../../api/queries";
import { CampaignLink } from "../../campaign/components/CampaignLink";
import { formatCompact } from "../../shared/format";
import { worldTitle } from "../../shared/world/worldTitle";
import { WallLink } from "../../wall/components/WallLink";
import classes from "../landing.module.css";
import { type ShownReplay, shownReplay } from "../state/shownReplay";
import { sceneOf } from "../vignettes/vignettes";

const RUNS_LOOKED_AT = 50;

export function WorldCard({ world, summary }: { world: string; summary: string }) {
  const Picture = sceneOf(world);
  const runs = useQuery(runsQuery(world, RUNS_LOOKED_AT));
  const best = useQuery(bestReplaysQuery(world)).data?.replays[0];
  const champion = useQuery(championsQuery).data?.champions.find((row) => row.world === world);
  const shown = shownReplay(champion, best);
  const title = worldTitle(world);
  return (
    <article className={`case ${classes.card}`} aria-label={title}>
      <div className={classes.scene}>
        <Picture />
      </div>
      <div className={classes.about}>
        <Stack gap={4}>
          <Title order={3} size="h3">
            {title}
          </Title>
          <Text c="dimmed">{summary}</Text>
        </Stack>
        <WorldFacts world={world} runCount={runs.data?.total} />
        <Group gap="xs" className={classes.actions}>
          <WatchButton shown={shown} />
          <Button
            component={Link}
            href={`/play?world=${world}`}
            variant="light"
            leftSection={<Gamepad2 size={16} aria-hidden />}
          >
            Play
          </Button>
          <CampaignLink world={world} />
          <WallLink world={world} />
          <Button
            component={Link}
            href={`/analytics?world=${world}`}
            variant="subtle"
            leftSection={<ChartSpline size={16} aria-hidden />}
          >
            Study
          </Button>
        </Group>
      </div>
    </article>
  );
}

function WatchButton({ shown }: { shown: ShownReplay | null }) {
  const icon = <Telescope size={16} aria-hidden />;
  if (shown === null) {
    return (
      <Tooltip label="No replay has been recorded yet; training records them">
        <Button leftSection={icon} data-disabled aria-disabled="true">
          Watch best replay
        </Button>
      </Tooltip>
    );
  }
  return (
    <Button component={Link} href={shown.href} leftSection={icon}>
      {shown.label}
    </Button>
  );
}

function WorldFacts({ world, runCount }: { world: string; runCount: number | undefined }) {
  const descriptor = useWorld(world);
  if (descriptor.data === undefined) {
    return descriptor.isPending ? <Skeleton h={20} w="70%" /> : null;
  }
  const { agents, n_actions, obs_dim } = descriptor.data;
  const facts = [
    `${agents} ${agents === 1 ? "seat" : "seats"}`,
    `${n_actions} actions`,
    `${formatCompact(obs_dim)} observed values`,
    ...(runCount === undefined ? [] : [`${runCount} ${runCount === 1 ? "run" : "runs"}`]),
  ];
  return (
    <Text size="sm" c="dimmed" className="tabular">
      {facts.join(" · ")}
    </Text>
  );
}
