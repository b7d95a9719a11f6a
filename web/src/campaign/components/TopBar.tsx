import { Button, Group, Menu, Progress, Switch, Text, Title } from "@mantine/core";
import { ArrowLeft, ChevronsRight, Download, EllipsisVertical, Play, Square } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { apiUrl } from "../../api/base";
import type { CampaignActions } from "../state/useCampaign";
import type { CampaignView } from "../state/view";
import classes from "./TopBar.module.css";

interface Props {
  id: string;
  name: string;
  view: CampaignView;
  actions: CampaignActions;
}

const LEAPS = [5, 10] as const;

/** The day, the score and the clock of the campaign. */
export function TopBar({ id, name, view, actions }: Props) {
  const [autopilot, setAutopilot] = useState(false);
  const { advancing } = actions;
  const isHalted = view.ending !== null || view.pending_battle !== null;
  const player = view.factions.find((faction) => faction.is_player);
  const go = (days: number) => void actions.advance(days, autopilot);
  return (
    <header className={`case ${classes.bar}`}>
      <Group gap="sm" wrap="nowrap" className={classes.title}>
        <Button component={Link} href="/campaign" variant="subtle" color="gray" px={8} aria-label="All campaigns">
          <ArrowLeft size={18} aria-hidden />
        </Button>
        <div className={classes.titleWords}>
          <Title order={1} size="h4" lineClamp={2} title={name}>
            {name}
          </Title>
          <Text size="xs" c="dimmed" truncate>
            {player === undefined ? "Bots lead all sides" : `You lead the ${player.name}`}
          </Text>
        </div>
      </Group>
      <div className={classes.day}>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm" fw={650} className="tabular" data-testid="campaign-day">
            Day {view.day}
          </Text>
          <Text size="xs" c="dimmed" className="tabular">
            of {view.last_day}
          </Text>
        </Group>
        <Progress value={(100 * view.day) / view.last_day} size="sm" mt={4} aria-label="Days that went by" />
      </div>
      <div className={classes.scoreBox}>
        <span className="overline">Score</span>
        <ul className={classes.scores}>
          {view.factions
            .filter((faction) => faction.is_major)
            .map((faction) => (
              <li key={faction.id} data-you={faction.is_player}>
                <span>{faction.name}</span>
                <b className="tabular">{faction.score.toFixed(2)}</b>
              </li>
            ))}
        </ul>
      </div>
      {advancing === null ? (
        <Group gap={6} className={classes.clock}>
          <Button
            leftSection={<Play size={16} aria-hidden />}
            disabled={isHalted || actions.isBusy}
            onClick={() => go(1)}
          >
            Next day
          </Button>
          {LEAPS.map((days) => (
            <Button
              key={days}
              variant="light"
              leftSection={<ChevronsRight size={16} aria-hidden />}
              disabled={isHalted || actions.isBusy}
              onClick={() => go(days)}
            >
              {days} days
            </Button>
          ))}
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button variant="subtle" color="gray" px={8} aria-label="More">
                <EllipsisVertical size={18} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                component="a"
                href={apiUrl(`/api/campaigns/${id}/save`)}
                download
                leftSection={<Download size={16} aria-hidden />}
              >
                Download the save
              </Menu.Item>
              {player !== undefined && (
                <div className={classes.autopilot}>
                  <Switch
                    label="A bot decides for me"
                    checked={autopilot}
                    onChange={(event) => setAutopilot(event.currentTarget.checked)}
                  />
                </div>
              )}
            </Menu.Dropdown>
          </Menu>
        </Group>
      ) : (
        <div className={classes.advancing} role="status">
          <Progress value={(100 * advancing.done) / advancing.days} size="md" animated aria-label="Days being played" />
          <Text size="sm" className="tabular">
            {advancing.done} of {advancing.days} {advancing.days === 1 ? "day" : "days"}
          </Text>
          <Button size="xs" variant="default" leftSection={<Square size={13} aria-hidden />} onClick={actions.stop}>
            Stop
          </Button>
        </div>
      )}
    </header>
  );
}
