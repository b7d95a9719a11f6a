import { useCallback, useEffect, useMemo, useState } from "react";
import type { PolicyOrigin } from "./usePagePolicy";

export interface PolicyChoice {
  /** What is chosen, as the list of choices names it. */
  value: string | null;
  /** A run that is asked on the server; null where nothing is, or where the policy runs in this page. */
  serverRun: string | null;
  /** What runs in this page. */
  origin: PolicyOrigin | null;
  /** The run that is chosen, wherever it thinks. */
  run: string | null;
  /** The file that was opened last. */
  file: File | null;
  isInPage: boolean;
  /** Whether it plays the other seats, where it runs in this page. */
  isOpposing: boolean;
  choose: (value: string | null) => void;
  openFile: (file: File) => void;
  setInPage: (isInPage: boolean) => void;
  setOpposing: (isOpposing: boolean) => void;
}

/** Names an opened file among the runs; no run may be called so. */
export const FILE_CHOICE = "file:";

/** Which policy is asked, and where it thinks: runs on the server or in this page, files in this page alone. */
export function usePolicyChoice(world: string | null): PolicyChoice {
  const [value, choose] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [isRunInPage, setInPage] = useState(false);
  const [isOpposing, setOpposing] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen belongs to the world
  useEffect(() => choose(null), [world]);
  const isFile = value === FILE_CHOICE;
  const run = isFile ? null : value;
  const isInPage = isFile || (run !== null && isRunInPage);
  const origin = useMemo((): PolicyOrigin | null => {
    if (isFile) {
      return file === null ? null : { file };
    }
    return run !== null && isRunInPage ? { run } : null;
  }, [isFile, file, run, isRunInPage]);
  const openFile = useCallback((opened: File) => {
    setFile(opened);
    choose(FILE_CHOICE);
  }, []);
  return {
    value,
    serverRun: isInPage ? null : run,
    origin,
    run,
    file,
    isInPage,
    isOpposing,
    choose,
    openFile,
    setInPage,
    setOpposing,
  };
}
