import { Badge, Select, Text } from "@mantine/core";
import { useState } from "react";
import { doingWords, NEED_WORDS, OPTIONS, shiftWords } from "../../renderers/townlet/words";
import { capitalize } from "../../shared/capitalize";
import { Sparkline } from "../../shared/charts/Sparkline";
import { formatCount, formatNumber, formatPercent } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import classes from "../operate.module.css";
import { flagAt, isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";
import { namesIn } from "../state/names";

const CRITICAL = 0.3;

interface Props {
  view: LiveView;
  subject: string | null;
  onSubject: (id: string) => void;
}

/** Everybody in town: how they are, what they do, whom they like. */
export function CitizenCards({ view, subject, onSubject }: Props) {
  const [profile, setProfile] = useState<string | null>(null);
  const [trait, setTrait] = useState<string | null>(null);
  const agents = Object.entries(objectAt(view.state.agents)).filter((entry): entry is [string, JsonObject] =>
    isObject(entry[1]),
  );
  const profiles = [...new Set(agents.map(([, agent]) => textAt(agent, "profile") ?? ""))].sort();
  const traits = Object.keys(objectAt(agents[0]?.[1], "traits"));
  const shown = agents
    .filter(([, agent]) => profile === null || textAt(agent, "profile") === profile)
    .toSorted(([, a], [, b]) =>
      trait === null
        ? (numberAt(a, "seat") ?? 0) - (numberAt(b, "seat") ?? 0)
        : (numberAt(b, "traits", trait) ?? 0) - (numberAt(a, "traits", trait) ?? 0),
    );
  const nameOf = namesIn(view);
  return (
    <Panel
      title="Citizens"
      note={`${agents.length} in town`}
      action={
        <div className={classes.tools}>
          <Select
            size="xs"
            w={130}
            clearable
            placeholder="All profiles"
            aria-label="Profile"
            data={profiles}
            value={profile}
            onChange={setProfile}
          />
          <Select
            size="xs"
            w={140}
            clearable
            placeholder="By seat"
            aria-label="Sort by trait"
            data={traits.map((value) => ({ value, label: `most ${value.replaceAll("_", " ")}` }))}
            value={trait}
            onChange={setTrait}
          />
        </div>
      }
    >
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nobody is in town.
        </Text>
      ) : (
        <div className={classes.cards}>
          {shown.map(([id, agent]) => (
            <button
              key={id}
              type="button"
              className={classes.card}
              aria-pressed={id === subject}
              onClick={() => onSubject(id)}
            >
              <span className={classes.cardHead}>
                <strong>{textAt(agent, "name") ?? id}</strong>
                <Badge size="xs" variant="light">
                  {textAt(agent, "profile")}
                </Badge>
                {flagAt(agent, "possessed") && (
                  <Badge size="xs" color="grape">
                    led
                  </Badge>
                )}
                {flagAt(agent, "job", "exit_pending") && (
                  <Badge size="xs" color="red">
                    leaving
                  </Badge>
                )}
              </span>
              <Needs id={id} agent={agent} view={view} />
              <span className={classes.fine}>
                {doingText(agent)} · {formatNumber(numberAt(agent, "wallet"))} coins · {jobText(agent)}
              </span>
              <span className={classes.fine}>
                {peopleText("likes", listAt(agent, "friends"), nameOf)}
                {peopleText("quarrels with", listAt(agent, "rivals"), nameOf)}
                fitness {formatNumber(numberAt(agent, "afi"))}
              </span>
            </button>
          ))}
        </div>
      )}
    </Panel>
  );
}

function Needs({ id, agent, view }: { id: string; agent: JsonObject; view: LiveView }) {
  return (
    <span className={classes.needs}>
      {Object.keys(objectAt(agent, "needs")).map((need) => {
        const value = numberAt(agent, "needs", need) ?? 0;
        const { label, hint } = needWords(need);
        return (
          <span key={need} className={classes.need} data-low={value < CRITICAL || undefined} title={hint}>
            <span>{label}</span>
            <meter min={0} max={1} low={CRITICAL} value={value} aria-label={`${label} ${formatPercent(value)}`} />
            <Sparkline label={`${label} lately`} width={54} height={16} values={view.trends[id]?.[need] ?? []} />
          </span>
        );
      })}
    </span>
  );
}

/** Needs are called as beside every other picture of a town; one that a town has made up, by its key. */
function needWords(need: string): { label: string; hint: string } {
  return need in NEED_WORDS ? NEED_WORDS[need as keyof typeof NEED_WORDS] : { label: capitalize(need), hint: need };
}

function doingText(agent: JsonObject): string {
  const doing = textAt(agent, "running", "affordance");
  const option = textAt(agent, "option");
  const commit = numberAt(agent, "commit_remaining") ?? 0;
  const words = doing !== null ? doingWords(doing) : option === null ? "waits" : (OPTIONS[option]?.doing ?? option);
  return capitalize(commit > 0 ? `${words} for ${formatCount(commit, "more tick")}` : words);
}

function jobText(agent: JsonObject): string {
  const job = textAt(agent, "job", "job_id");
  const shift = textAt(agent, "job", "shift_state") ?? "none";
  const attendance = numberAt(agent, "job", "attendance_ratio");
  const there = attendance === null ? "" : `, attendance ${formatPercent(attendance)}`;
  return job === null ? "no job" : `${job.replaceAll("_", " ")}: ${shiftWords(shift).toLowerCase()}${there}`;
}

function peopleText(verb: string, people: readonly unknown[], nameOf: (id: string) => string): string {
  const names = people.map((person) => textAt(person as JsonObject, "agent_id")).filter((id) => id !== null);
  return names.length === 0 ? "" : `${verb} ${names.map(nameOf).join(", ")} · `;
}
