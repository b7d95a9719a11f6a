import { SegmentedControl, Text, UnstyledButton } from "@mantine/core";
import { useMemo, useState } from "react";
import campaign from "../campaign.module.css";
import type { Recording } from "../state/calls";
import type { CampaignView, News } from "../state/view";
import { battleOf, causesOf, newsByDay, newsWords, plain } from "../state/words";
import classes from "./NewsPanel.module.css";
import { WatchBattle } from "./WatchBattle";

interface Props {
  id: string;
  view: CampaignView;
  recordings: readonly Recording[];
}

/** What happened, newest day first, with the reasons behind it. */
export function NewsPanel({ id, view, recordings }: Props) {
  const [about, setAbout] = useState("all");
  const days = useMemo(
    () => newsByDay(view.news, about === "mine" ? view.player : null),
    [view.news, view.player, about],
  );
  return (
    <section className={`case ${classes.news}`} aria-label="News">
      <div className={campaign.panelHead}>
        <h2>News</h2>
        {view.player !== null && (
          <SegmentedControl
            size="xs"
            aria-label="Whose news"
            value={about}
            onChange={setAbout}
            data={[
              { value: "all", label: "All" },
              { value: "mine", label: "Mine" },
            ]}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard */}
      <div className={classes.newsList} tabIndex={0} role="log" aria-label="News by day">
        {days.length === 0 && (
          <Text c="dimmed" size="sm" p="md">
            Nothing has happened yet. Play the first day.
          </Text>
        )}
        {days.map(({ day, items }) => (
          <div key={day}>
            <h3 className="overline">Day {day}</h3>
            <ul>
              {items.map((item) => (
                <NewsItem key={item.number} id={id} item={item} view={view} recordings={recordings} />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

interface ItemProps extends Props {
  item: News;
}

function NewsItem({ id, item, view, recordings }: ItemProps) {
  const [isOpen, setOpen] = useState(false);
  const causes = causesOf(item, view.news);
  const battle = battleOf(item, view);
  const recording = recordings.find((one) => one.battle_id === battle);
  return (
    <li className={classes.newsItem} data-mine={view.player !== null && item.factions.includes(view.player)}>
      <span className={classes.topic}>{plain(item.topic)}</span>
      <span>{newsWords(item)}</span>
      {causes.length > 0 && (
        <UnstyledButton className={classes.why} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Why?
        </UnstyledButton>
      )}
      {recording !== undefined && <WatchBattle id={id} recording={recording} />}
      {isOpen && (
        <ol className={classes.causes}>
          {causes.map((cause) => (
            <li key={cause.number}>
              Because, on day {cause.day}: {newsWords(cause)}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
