import { ActionIcon, Button, FileButton, Group, Loader, Select, Text, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import { championsQuery } from "../../api/queries";
import type { JsonObject, RunRow } from "../../api/types";
import { formatCount, formatNumber } from "../../shared/format";
import { runName } from "../../shared/run/runName";
import type { PagePolicy } from "../state/usePagePolicy";
import { FILE_CHOICE, type PolicyChoice } from "../state/usePolicyChoice";
import { PanelSwitch } from "./PanelSwitch";
import classes from "./Play.module.css";

interface Props {
  world: string;
  runs: readonly RunRow[];
  choice: PolicyChoice;
  page: PagePolicy;
  /** Starts the world in the configuration of the policy. */
  onConfigure: (config: JsonObject) => void;
  /** What the policy thinks and does. */
  children: ReactNode;
}

/** Chooses a trained policy to ask: the champion first, or that of a run, on the server or in this page, or of a file on this machine. */
export function PolicyPanel({ world, runs, choice, page, onConfigure, children }: Props) {
  const [isOver, setOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const take = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) {
      choice.openFile(file);
    }
  };
  const champions = (useQuery(championsQuery).data?.champions ?? []).filter((row) => row.world === world);
  const policies = [...champions, ...runs].map(({ run_id }) => ({ value: run_id, label: runName(run_id) }));
  const files = choice.file === null ? [] : [{ value: FILE_CHOICE, label: choice.file.name }];
  return (
    <section
      className={`case ${classes.panel} ${classes.policy}`}
      aria-label="Hint"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={take}
    >
      <h2 className="overline">Hint from a policy</h2>
      <Group gap={6} wrap="nowrap">
        <Select
          flex={1}
          aria-label="Policy to ask"
          placeholder={placeholder(champions.length, runs.length)}
          data={[...policies, ...files]}
          value={choice.value}
          onChange={choice.choose}
          ref={field}
          // The keyboard goes back to the world.
          onOptionSubmit={() => field.current?.blur()}
          disabled={policies.length === 0 && files.length === 0}
          clearable
          searchable
          data-testid="hint-policy"
        />
        <FileButton accept=".onnx" onChange={(file) => file !== null && choice.openFile(file)}>
          {(props) => (
            <Tooltip label="Open a policy that diorama export has written, or drop it here">
              <ActionIcon {...props} variant="default" size={36} aria-label="Open a policy file">
                <FileUp size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </FileButton>
      </Group>
      {choice.run !== null && <InPageSwitch world={world} run={choice.run} choice={choice} />}
      <PageStatus page={page} choice={choice} onConfigure={onConfigure} />
      {children}
    </section>
  );
}

function placeholder(champions: number, runs: number): string {
  if (champions > 0) {
    return runs > 0 ? "Off; choose the champion or a run" : "Off; choose the champion";
  }
  return runs > 0 ? "Off; choose a run" : "No trained run yet";
}

function InPageSwitch({ world, run, choice }: { world: string; run: string; choice: PolicyChoice }) {
  const exports = useQuery({
    queryKey: ["exports", world],
    queryFn: ({ signal }) => unwrap(api.GET("/api/exports", { params: { query: { world } }, signal })),
  });
  const row = exports.data?.exports.find((one) => one.run_id === run);
  const size = row?.size_bytes ?? null;
  const missing = size === null ? (exports.data?.missing ?? null) : null;
  const made = size === null ? "Exported when first asked for" : `Exported, ${formatNumber(Math.ceil(size / 1000))} kB`;
  return (
    <PanelSwitch
      mt={10}
      label="Run it in this page"
      description={choice.isInPage ? undefined : (missing ?? made)}
      checked={choice.isInPage}
      disabled={missing !== null && !choice.isInPage}
      onSwitch={choice.setInPage}
    />
  );
}

function PageStatus({ page, choice, onConfigure }: Pick<Props, "page" | "choice" | "onConfigure">) {
  if (page.status === "loading") {
    return (
      <Text size="xs" c="dimmed" mt={8} role="status">
        <Loader size={11} mr={6} />
        {choice.run === null ? "Opening the file" : "Fetching the policy; exporting it takes a moment the first time"}
      </Text>
    );
  }
  if (page.status === "failed") {
    const { config } = page;
    return (
      <>
        <Text size="sm" c="var(--dio-bad)" mt={8} role="alert">
          {page.message}
        </Text>
        {config !== null && (
          <Button size="compact-sm" variant="light" mt={8} onClick={() => onConfigure(config)}>
            Start in its configuration
          </Button>
        )}
      </>
    );
  }
  if (page.status === "ready") {
    const { arch, envSteps, runId } = page.policy.facts;
    return (
      <Text size="xs" c="dimmed" mt={8} data-testid="page-policy">
        {runId} runs in this page: {arch}, trained for {formatCount(envSteps, "step")}
      </Text>
    );
  }
  return null;
}
