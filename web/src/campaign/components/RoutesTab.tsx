import { Text } from "@mantine/core";
import type { CampaignView } from "../state/view";
import { amountWords, bandTone, plain } from "../state/words";
import book from "./Book.module.css";
import { nameOf } from "./PlaceTab";

/** What travels between hubs, planned and moved today. */
export function RoutesTab({ view }: { view: CampaignView }) {
  if (view.routes.length === 0) {
    return (
      <Text c="dimmed" size="sm" p="md">
        No routes are open. Trade treaties open them.
      </Text>
    );
  }
  return (
    <ul className={`${book.book} ${book.entries}`}>
      {view.routes.map((route) => (
        <li key={route.id}>
          <div>
            <b>{route.name}</b> <b data-tone={bandTone(route.status)}>{plain(route.status)}</b>{" "}
            <span className={book.dim}>
              {plain(route.kind)}, {Math.round(route.capacity)} units a day
            </span>
          </div>
          <div>
            {nameOf(view, route.origin)} sends {amountWords(route.goods)}
            <span className={book.dim}> (today {amountWords(route.moved)})</span>
          </div>
          <div>
            {nameOf(view, route.destination)} sends {amountWords(route.goods_back)}
            <span className={book.dim}> (today {amountWords(route.moved_back)})</span>
          </div>
        </li>
      ))}
    </ul>
  );
}
