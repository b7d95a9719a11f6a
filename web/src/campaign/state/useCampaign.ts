import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { capitalize } from "../../shared/capitalize";
import { advanceDay, type CampaignChange, campaignKeys, giveOrder } from "./calls";
import { tell } from "./tell";
import { type CampaignView, readView } from "./view";
import { concernWords } from "./words";

export interface Advancing {
  done: number;
  days: number;
}

export interface CampaignActions {
  /** How far the days that are being played are; null while none are. */
  advancing: Advancing | null;
  /** Whether a change is under way. */
  isBusy: boolean;
  advance: (days: number, autopilot: boolean) => Promise<void>;
  stop: () => void;
  order: (code: string) => Promise<void>;
  /** Makes a change, takes its answer over and reports a refusal; returns whether it was made. */
  change: (make: () => Promise<CampaignChange>) => Promise<CampaignChange | null>;
}

/** Everything one can do to a campaign; one thing at a time. */
export function useCampaignActions(id: string): CampaignActions {
  const client = useQueryClient();
  const [advancing, setAdvancing] = useState<Advancing | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isStopped = useRef(false);

  const change = useCallback(
    async (make: () => Promise<CampaignChange>): Promise<CampaignChange | null> => {
      setBusy(true);
      try {
        const made = await make();
        client.setQueryData(campaignKeys.one(id), made.state);
        return made;
      } catch (failure) {
        const message = failure instanceof Error ? capitalize(failure.message) : "It did not work.";
        tell({ color: "red", title: "Not done", message });
        void client.invalidateQueries({ queryKey: campaignKeys.one(id) });
        return null;
      } finally {
        setBusy(false);
      }
    },
    [client, id],
  );

  const advance = useCallback(
    async (days: number, autopilot: boolean) => {
      isStopped.current = false;
      setAdvancing({ done: 0, days });
      let known: CampaignView | null = null;
      for (let done = 0; done < days && !isStopped.current; done += 1) {
        const made = await change(() => advanceDay(id, autopilot));
        if (made === null) {
          break;
        }
        const view = readView(made.state.view);
        setAdvancing({ done: done + 1, days });
        const reason = days === 1 ? null : reasonToStop(view, known, autopilot);
        if (reason !== null) {
          tell({ title: `Stopped on day ${view.day}`, message: reason });
          break;
        }
        known = view;
      }
      setAdvancing(null);
    },
    [change, id],
  );

  const order = useCallback(
    async (code: string) => {
      const made = await change(() => giveOrder(id, code));
      if (made !== null) {
        tell({ color: "teal", title: "Ordered", message: capitalize(made.done) });
      }
    },
    [change, id],
  );
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  return { advancing, isBusy, advance, stop, order, change };
}

/** Days that are played in a row stop when something asks for an answer that did not the day before. */
function reasonToStop(view: CampaignView, before: CampaignView | null, autopilot: boolean): string | null {
  if (view.pending_battle !== null || view.ending !== null) {
    return view.ending === null ? "A battle waits for you." : "The campaign is over.";
  }
  if (before === null || autopilot) {
    return null;
  }
  const known = new Set(before.concerns.map(({ key }) => key));
  const fresh = view.concerns.find(({ key }) => !known.has(key));
  return fresh === undefined ? null : concernWords(fresh.text);
}
