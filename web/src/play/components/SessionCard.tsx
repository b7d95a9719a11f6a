import { Anchor, Collapse, Text, UnstyledButton } from "@mantine/core";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { SessionState } from "../../api/types";
import { Fact } from "../../shared/Fact";
import { Facts } from "../../shared/Facts";
import { formatNumber } from "../../shared/format";
import { watchAddress } from "../../watch/state/deepLink";
import classes from "./Play.module.css";

/** Where the session stands, and everything the world reports about the last step. */
export function SessionCard({ state }: { state: SessionState }) {
  const [isOpen, setOpen] = useState(false);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const fork = state.forked_from;
  return (
    <section className={`case ${classes.panel}`} aria-label="Session" data-testid="session-card">
      <h2 className="overline">Session</h2>
      <Facts>
        <Fact label="Decisions" value={state.steps.toLocaleString("en")} />
        <Fact label="Return" value={formatNumber(state.return_total)} />
        <Fact label="Last reward" value={formatNumber(state.reward)} />
        <Fact label="Seed" value={`${state.seed}`} />
        <Fact label="Ticks" value={state.ticks.toLocaleString("en")} />
        <Fact label="State" value={state.is_over ? "over" : "playing"} />
      </Facts>
      {fork !== null && (
        <Text size="xs" mt={8}>
          Continues{" "}
          <Anchor
            component={Link}
            href={watchAddress({ run: fork.run_id, replay: fork.replay_id }, 0)}
            size="xs"
            underline="always"
          >
            {fork.replay_id}
          </Anchor>{" "}
          after frame {fork.frame}
        </Text>
      )}
      <UnstyledButton className={classes.expander} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Chevron size={14} aria-hidden /> Info as JSON
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <pre className={classes.json}>{JSON.stringify(state.info, null, 2)}</pre>
      </Collapse>
    </section>
  );
}
