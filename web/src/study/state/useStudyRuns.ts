import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { RUN_LIST_REFRESH_MS, windowsQuery } from "../../api/queries";
import type { RunRow, WindowRow } from "../../api/types";
import { useChartColors } from "../../shared/useChartColors";
import { useFollow } from "../../shared/useFollow";

export interface StudyRun {
  id: string;
  row: RunRow | undefined;
  color: string;
  windows: readonly WindowRow[];
  isPending: boolean;
  error: Error | null;
  retry: () => void;
}

const NO_WINDOWS: readonly WindowRow[] = [];

/**
 * The chosen runs with their windows, kept up to date while they train.
 *
 * The focused run and one more are followed live. Streams hold connections, of which browsers allow six per server, so
 * further running ones are asked with the run list.
 */
export function useStudyRuns(ids: readonly string[], focus: string | null, rows: readonly RunRow[]): StudyRun[] {
  const colors = useChartColors();
  const running = ids.filter((id) => rows.some((row) => row.run_id === id && row.status === "running"));
  const [first = null, second = null] = running.toSorted((a, b) => Number(b === focus) - Number(a === focus));
  useFollow(first);
  useFollow(second);
  const polled = running.filter((id) => id !== first && id !== second);
  const results = useQueries({
    queries: ids.map((id) => ({
      ...windowsQuery(id),
      // A run that a link names may be about to start: its absence is not the last word.
      refetchInterval: (query: { state: { status: string } }) =>
        polled.includes(id) || query.state.status === "error" ? RUN_LIST_REFRESH_MS : (false as const),
    })),
    combine: pickAnswers,
  });
  return useMemo(
    () =>
      ids.map((id, place) => ({
        id,
        row: rows.find((row) => row.run_id === id),
        color: colors.series[place % colors.series.length] as string,
        windows: results[place]?.data ?? NO_WINDOWS,
        isPending: results[place]?.isPending ?? true,
        error: results[place]?.error ?? null,
        retry: results[place]?.retry ?? (() => undefined),
      })),
    [ids, rows, colors, results],
  );
}

/** Lives outside the hook: a stable function lets equal answers keep their identity, and charts their canvas. */
function pickAnswers(answers: UseQueryResult<WindowRow[]>[]) {
  return answers.map(({ data, isPending, error, refetch }) => ({
    data,
    isPending,
    error,
    retry: () => void refetch(),
  }));
}
