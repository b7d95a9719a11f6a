import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { readSelection, type StudySelection, writeSelection } from "./selection";

export type ChangeSelection = (change: Partial<StudySelection>) => void;

/** The page's selection, held by its address. */
export function useStudySelection(): [StudySelection, ChangeSelection] {
  const [path, go] = useLocation();
  const search = useSearch();
  const selection = useMemo(() => readSelection(search), [search]);
  const change = useCallback<ChangeSelection>(
    (wanted) => {
      const next = writeSelection(window.location.search, wanted);
      go(next === "" ? path : `${path}?${next}`, { replace: true });
    },
    [path, go],
  );
  return [selection, change];
}
