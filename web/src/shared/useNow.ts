import { useEffect, useState } from "react";

const DEFAULT_PERIOD_MS = 10_000;

/** The present moment in milliseconds, renewed often enough for ages such as "2 min ago". */
export function useNow(periodMs: number = DEFAULT_PERIOD_MS): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), periodMs);
    return () => clearInterval(timer);
  }, [periodMs]);
  return now;
}
