import { Button, Loader, Skeleton, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Gamepad2, Swords } from "lucide-react";
import { Link } from "wouter";
import { useWorlds } from "../api/queries";
import { formatCount } from "../shared/format";
import { PageName } from "../shared/PageName";
import { QueryError } from "../shared/states/QueryError";
import { UnknownWorld, useUnknownWorld } from "../shared/world/UnknownWorld";
import { useSelectedWorld } from "../shared/world/useSelectedWorld";
import { worldTitle } from "../shared/world/worldTitle";
import { BoardTable } from "./components/BoardTable";
import classes from "./scoreboard.module.css";
import { evaluateScoreboard, type Scoreboard, scoreboardKey, scoreboardQuery } from "./state/calls";
import { countMissing } from "./state/order";

/** Scoreboard: scripts, the champion, runs and people of a world on the same seeds. */
export default function ScoreboardPage() {
  const [chosen] = useSelectedWorld();
  const worlds = useWorlds();
  const unknown = useUnknownWorld();
  const world = chosen ?? worlds.data?.worlds[0] ?? null;
  return (
    <>
      <PageName name="Scoreboard" />
      <div className={classes.page}>
        {unknown !== null && <UnknownWorld world={unknown} />}
        {unknown === null && world !== null && <WorldBoard key={world} world={world} />}
        {world === null && worlds.error !== null && (
          <QueryError error={worlds.error} what="the worlds" onRetry={() => void worlds.refetch()} isCompact={false} />
        )}
      </div>
    </>
  );
}

function WorldBoard({ world }: { world: string }) {
  const board = useQuery(scoreboardQuery(world));
  if (board.data === undefined) {
    if (board.error !== null) {
      return (
        <QueryError error={board.error} what="the scoreboard" onRetry={() => void board.refetch()} isCompact={false} />
      );
    }
    return <Skeleton h={420} radius="lg" role="status" aria-label="Loading the scoreboard" />;
  }
  return (
    <section aria-label={`Scoreboard of ${worldTitle(world)}`}>
      <BoardHead board={board.data} />
      <div className="case">
        <BoardTable metrics={board.data.metrics} rows={board.data.rows} />
      </div>
    </section>
  );
}

function BoardHead({ board }: { board: Scoreboard }) {
  const client = useQueryClient();
  const evaluation = useMutation({
    mutationFn: () => evaluateScoreboard(board.world),
    onSuccess: (answer) => client.setQueryData(scoreboardKey(board.world), answer),
  });
  const missing = countMissing(board.rows);
  const [first] = board.seeds;
  return (
    <header className={classes.head}>
      <div>
        <Title order={2} size="h3">
          {worldTitle(board.world)}
        </Title>
        <Text size="sm" c="dimmed">
          Everyone plays the same {formatCount(board.seeds.length, "held-out episode")}; 95% intervals below the means.
        </Text>
        {evaluation.error !== null && (
          <Text size="sm" c="var(--dio-bad)" role="alert">
            {evaluation.error.message}
          </Text>
        )}
      </div>
      <div className={classes.actions}>
        {missing > 0 && board.is_playing && (
          <Text size="sm" c="dimmed" role="status" className={classes.playing}>
            <Loader size={13} /> {formatCount(missing, "player")} to go
          </Text>
        )}
        {missing > 0 && !board.is_playing && (
          <Button
            size="sm"
            variant="light"
            leftSection={<Swords size={15} aria-hidden />}
            loading={evaluation.isPending}
            onClick={() => evaluation.mutate()}
          >
            Let {formatCount(missing, "player")} play
          </Button>
        )}
        {board.is_playable && first !== undefined && (
          <Button
            size="sm"
            variant="default"
            component={Link}
            href={`/play?world=${encodeURIComponent(board.world)}&as=agent&seed=${first}`}
            leftSection={<Gamepad2 size={15} aria-hidden />}
          >
            Play for a place
          </Button>
        )}
      </div>
    </header>
  );
}
