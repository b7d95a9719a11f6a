import { notifications } from "@mantine/notifications";
import { useCallback, useMemo, useState } from "react";
import { type CommandAnswer, ConsoleClient, type Order } from "./console";

const KEPT = 50;

export interface GivenOrder {
  number: number;
  order: Order;
  answer: CommandAnswer | null;
  /** Why there is no answer. */
  failure: string | null;
}

export interface Orders {
  client: ConsoleClient;
  /** Newest first. */
  given: readonly GivenOrder[];
  /** Gives a command and tells what came of it; resolves to the answer, or null where none came. */
  give: (order: Order, isQuiet?: boolean) => Promise<CommandAnswer | null>;
}

/** The commands that were given from this page. */
export function useOrders(base: string, id: string, token: string | null): Orders {
  const client = useMemo(() => new ConsoleClient(base, id, token), [base, id, token]);
  const [given, setGiven] = useState<readonly GivenOrder[]>([]);
  const give = useCallback(
    async (order: Order, isQuiet = false) => {
      let answer: CommandAnswer | null = null;
      let failure: string | null = null;
      try {
        answer = await client.give(order);
      } catch (reason) {
        failure = reason instanceof Error ? reason.message : String(reason);
      }
      setGiven((before) =>
        [{ number: (before[0]?.number ?? 0) + 1, order, answer, failure }, ...before].slice(0, KEPT),
      );
      const complaint = failure ?? answer?.error?.message;
      if (complaint !== undefined) {
        notifications.show({ color: "red", title: `${order.name} was not done`, message: complaint });
      } else if (!isQuiet) {
        notifications.show({ color: "teal", title: order.name, message: "Done." });
      }
      return answer;
    },
    [client],
  );
  return { client, given, give };
}
