import { Badge, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Fact } from "../../shared/Fact";
import { Panel } from "../../shared/Panel";
import classes from "../operate.module.css";
import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";
import type { Orders } from "../state/useOrders";

interface Props {
  view: LiveView;
  orders: Orders;
  canOperate: boolean;
}

interface Question {
  word: string;
  title: string;
  text: string;
  order: { name: string; kwargs: JsonObject };
}

/** Which policy runs, which one may follow, and the buttons that change it. */
export function PromotionPanel({ view, orders, canOperate }: Props) {
  const [question, setQuestion] = useState<Question | null>(null);
  const promotion = objectAt(view.state.promotion);
  const state = textAt(promotion, "state");
  const shadow = objectAt(promotion, "shadow");
  const history = listAt(promotion, "history").filter(isObject);
  if (state === null) {
    return (
      <Panel title="Promotion">
        <Text size="sm" c="dimmed" px="md" pb="md">
          No policy is being judged in this world.
        </Text>
      </Panel>
    );
  }
  const checkpoint = textAt(shadow, "checkpoint");
  return (
    <Panel
      title="Promotion"
      action={
        <Badge variant="light" color={state === "rollback_recommended" ? "red" : "iris"} data-testid="promotion-state">
          {state.replaceAll("_", " ")}
        </Badge>
      }
    >
      <dl className={classes.facts}>
        <Fact label="Release" value={policyText(objectAt(promotion, "release"))} />
        <Fact label="Candidate" value={checkpoint === null ? "none" : policyText(shadow)} />
        <Fact label="Before" value={policyText(objectAt(promotion, "previous_release"))} />
        <Fact
          label="Passed windows"
          value={`${numberAt(promotion, "streak") ?? 0} of ${numberAt(promotion, "required_passes") ?? 0}`}
        />
        <Fact
          label="Probation"
          value={`${numberAt(promotion, "probation_passes") ?? 0} of ${numberAt(promotion, "probation_windows") ?? 0}`}
        />
      </dl>
      <Group gap="xs" px="md" pb="sm">
        <Button
          size="xs"
          disabled={!canOperate || state !== "ready" || checkpoint === null}
          onClick={() =>
            setQuestion({
              word: "promote",
              title: "Promote the candidate",
              text: `${checkpoint} takes the place of the release at the next tick.`,
              order: { name: "promote_policy", kwargs: { checkpoint: checkpoint ?? "" } },
            })
          }
        >
          Promote…
        </Button>
        <Button
          size="xs"
          color="red"
          variant="light"
          disabled={!canOperate}
          onClick={() =>
            setQuestion({
              word: "rollback",
              title: "Roll back",
              text: "The release before takes its place again at the next tick.",
              order: { name: "rollback_policy", kwargs: {} },
            })
          }
        >
          Roll back…
        </Button>
        {state === "rollback_recommended" && (
          <Button
            size="xs"
            variant="default"
            disabled={!canOperate}
            onClick={() => void orders.give({ name: "promotion_ack", kwargs: {} })}
          >
            Keep it
          </Button>
        )}
      </Group>
      {history.length > 0 && (
        <ol className={classes.feed} aria-label="Changes of the release">
          {history.toReversed().map((record) => (
            <li key={`${numberAt(record, "tick")}-${textAt(record, "action")}`}>
              <span className="tabular">{numberAt(record, "tick")}</span> {textAt(record, "action")} to{" "}
              {policyText(objectAt(record, "after"))} by {textAt(record, "issuer")}
              {textAt(record, "reason") ? `: ${textAt(record, "reason")}` : ""}
            </li>
          ))}
        </ol>
      )}
      {question !== null && (
        <TypedConfirmation
          question={question}
          onCancel={() => setQuestion(null)}
          onConfirm={() => {
            void orders.give(question.order);
            setQuestion(null);
          }}
        />
      )}
    </Panel>
  );
}

function policyText(pointer: JsonObject): string {
  const name = textAt(pointer, "checkpoint");
  const hash = textAt(pointer, "policy_hash") ?? "";
  return name === null ? "none" : name === hash ? name : `${name.split("/").at(-1)} (${hash.slice(0, 8)})`;
}

interface ConfirmationProps {
  question: Question;
  onCancel: () => void;
  onConfirm: () => void;
}

function TypedConfirmation({ question, onCancel, onConfirm }: ConfirmationProps) {
  const [typed, setTyped] = useState("");
  return (
    <Modal opened onClose={onCancel} title={question.title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === question.word) {
            onConfirm();
          }
        }}
      >
        <Stack gap="sm">
          <Text size="sm">{question.text}</Text>
          <TextInput
            label={`Type ${question.word} to go on`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="end" gap="xs">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={typed !== question.word}>
              {question.title}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
