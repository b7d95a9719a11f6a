import { Badge, Button, Checkbox, Code, Group, NumberInput, Select, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Panel } from "../../shared/Panel";
import { QueryError } from "../../shared/states/QueryError";
import classes from "../operate.module.css";
import { type CommandRow, commandsQuery } from "../state/console";
import type { GivenOrder, Orders } from "../state/useOrders";
import { argumentsFrom, type FormField, fieldsOf } from "./argumentForm";

interface Props {
  orders: Orders;
  canOperate: boolean;
}

/** Every command of the world, found by a word, with a form for its arguments and what came of it. */
export function ConsolePalette({ orders, canOperate }: Props) {
  const commands = useQuery(commandsQuery(orders.client));
  const [word, setWord] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const found = (commands.data ?? []).filter(({ name, summary }) =>
    `${name} ${summary}`.toLowerCase().includes(word.toLowerCase()),
  );
  const command = commands.data?.find(({ name }) => name === chosen);
  return (
    <Panel title="Console" note={canOperate ? undefined : "admin commands need a token"}>
      <div className={classes.console}>
        {commands.error !== null && (
          <QueryError error={commands.error} what="the commands" onRetry={() => void commands.refetch()} />
        )}
        <TextInput
          size="xs"
          label="Search commands"
          placeholder="teleport, price, snapshot…"
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
        <ul className={classes.commands} aria-label="Commands">
          {found.map(({ name, role, summary }) => (
            <li key={name}>
              <button type="button" aria-pressed={name === chosen} onClick={() => setChosen(name)} title={summary}>
                {name}
                {role === "admin" && (
                  <Badge size="xs" variant="outline" ml={6}>
                    admin
                  </Badge>
                )}
              </button>
            </li>
          ))}
          {commands.data !== undefined && found.length === 0 && <li>No command is called that.</li>}
        </ul>
        {command !== undefined && (
          <CommandForm
            key={command.name}
            command={command}
            orders={orders}
            isAllowed={command.role === "viewer" || canOperate}
          />
        )}
        <GivenOrders given={orders.given} />
      </div>
    </Panel>
  );
}

interface FormProps {
  command: CommandRow;
  orders: Orders;
  isAllowed: boolean;
}

function CommandForm({ command, orders, isAllowed }: FormProps) {
  const fields = useMemo(() => fieldsOf(command), [command]);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [complaint, setComplaint] = useState<string | null>(null);
  const give = (isDryRun: boolean) => {
    try {
      const kwargs = argumentsFrom(fields, typed);
      setComplaint(null);
      void orders.give({ name: command.name, kwargs, isDryRun }, true);
    } catch (reason) {
      setComplaint(reason instanceof Error ? reason.message : String(reason));
    }
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        give(false);
      }}
    >
      <Text size="sm">{command.summary}</Text>
      <Code>{command.usage}</Code>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={typed[field.name] ?? field.initial}
          onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      {complaint !== null && (
        <Text size="sm" c="red" role="alert">
          {complaint}
        </Text>
      )}
      <Group gap="xs">
        <Button type="submit" size="xs" disabled={!isAllowed}>
          Give the command
        </Button>
        <Button size="xs" variant="default" disabled={!isAllowed} onClick={() => give(true)}>
          Try it dry
        </Button>
      </Group>
    </form>
  );
}

interface FieldProps {
  field: FormField;
  value: string;
  onChange: (value: string) => void;
}

function FieldInput({ field, value, onChange }: FieldProps) {
  const label = field.name.replaceAll("_", " ");
  const common = { size: "xs", label, description: field.hint || undefined, required: field.isRequired } as const;
  switch (field.kind) {
    case "flag":
      return (
        <Checkbox
          size="xs"
          label={label}
          checked={value === "true"}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      );
    case "choice":
      return (
        <Select
          {...common}
          clearable={!field.isRequired}
          data={[...field.choices]}
          value={value === "" ? null : value}
          onChange={(choice) => onChange(choice ?? "")}
        />
      );
    case "number":
    case "integer":
      return (
        <NumberInput
          {...common}
          min={field.minimum}
          max={field.maximum}
          allowDecimal={field.kind === "number"}
          value={value === "" ? "" : Number(value)}
          onChange={(number) => onChange(String(number))}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          placeholder={field.kind === "list" ? "one, two" : field.kind === "json" ? "{}" : undefined}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

function GivenOrders({ given }: { given: readonly GivenOrder[] }) {
  if (given.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        What you ask for, and what comes of it, is listed here.
      </Text>
    );
  }
  return (
    <ol className={classes.feed} aria-label="Given commands" data-testid="given">
      {given.map(({ number, order, answer, failure }) => (
        <li key={number} data-priority={answer?.status === "error" || failure !== null || undefined}>
          <strong>{order.name}</strong> {order.isDryRun ? "(dry) " : ""}
          {answer === null
            ? (failure ?? "…")
            : answer.status === "ok"
              ? JSON.stringify(answer.result)
              : `${answer.error?.code}: ${answer.error?.message}`}
        </li>
      ))}
    </ol>
  );
}
