import { Badge, Skeleton, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useState } from "react";
import { Panel } from "../../shared/Panel";
import { QueryError } from "../../shared/states/QueryError";
import classes from "../console.module.css";
import { type ConsoleRow, type ProgramRow, programsQuery } from "../state/calls";
import { groupPrograms, sizeWords } from "../state/programs";

interface Props {
  console: ConsoleRow;
  chosen: string | null;
  onChoose: (program: string) => void;
}

/** What can be run, with what hinders the rest. */
export function ProgramList({ console: row, chosen, onChoose }: Props) {
  const programs = useQuery(programsQuery(row.world));
  const [search, setSearch] = useState("");
  const groups = groupPrograms(programs.data?.programs ?? [], search);
  return (
    <Panel title="ROMs" note={programs.data === undefined ? undefined : `${programs.data.programs.length}`}>
      <div className={classes.programs}>
        <TextInput
          size="sm"
          placeholder="Search"
          aria-label="Search ROMs"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          leftSection={<Search size={15} aria-hidden />}
        />
        {programs.isPending && <Skeleton h={240} mt="xs" />}
        {programs.error !== null && (
          <QueryError error={programs.error} what="the ROMs" onRetry={() => void programs.refetch()} />
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className={classes.programScroll} aria-label="List of ROMs" tabIndex={0}>
          {groups.map((group) => (
            <div key={group.title}>
              <h3 className="overline">{group.title}</h3>
              <ul>
                {group.programs.map((program) => (
                  <li key={program.id}>
                    <Program program={program} isChosen={program.id === chosen} onChoose={onChoose} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {programs.data !== undefined && groups.length === 0 && (
            <Text size="sm" c="dimmed" py="md">
              Nothing is called that.
            </Text>
          )}
        </section>
        {!row.has_folder && (
          <Text size="xs" c="dimmed">
            To play your own ROMs, start the server with <code>diorama serve --roms FOLDER</code>.
          </Text>
        )}
      </div>
    </Panel>
  );
}

function Program({
  program,
  isChosen,
  onChoose,
}: {
  program: ProgramRow;
  isChosen: boolean;
  onChoose: (program: string) => void;
}) {
  const file = program.source === "folder" ? program.id : "";
  const facts = [file, program.hardware, sizeWords(program.size_bytes)].filter((part) => part !== "").join(" · ");
  return (
    <button
      type="button"
      className={classes.program}
      aria-pressed={isChosen}
      disabled={!program.supported}
      onClick={() => onChoose(program.id)}
    >
      <span className={classes.programName}>
        {program.title}
        {!program.supported && (
          <Badge size="xs" color="gray" variant="light">
            cannot run
          </Badge>
        )}
      </span>
      {[program.problem ?? program.about, facts].map(
        (words) =>
          words !== "" && (
            <span key={words} className={classes.programAbout}>
              {words}
            </span>
          ),
      )}
    </button>
  );
}
