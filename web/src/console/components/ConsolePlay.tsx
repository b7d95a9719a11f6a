import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";
import { WallLink } from "../../wall/components/WallLink";
import classes from "../console.module.css";
import { type ConsoleRow, programsQuery } from "../state/calls";
import { firstPlayable } from "../state/programs";
import { useKeysAfterClicks } from "../state/useConsoleKeys";
import { Machine } from "./Machine";
import { ProgramList } from "./ProgramList";

/** Play on a console: choose a ROM and hold the keys. `?rom=` in the address names the ROM. */
export function ConsolePlay({ console: row }: { console: ConsoleRow }) {
  useKeysAfterClicks();
  const [path, go] = useLocation();
  const search = useSearch();
  const linked = new URLSearchParams(search).get("rom");
  const [remembered, remember] = useLocalStorage<string | null>({
    key: `diorama.rom.${row.world}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const programs = useQuery(programsQuery(row.world)).data?.programs;
  const wanted = linked ?? remembered;
  const known = programs?.some(({ id, supported }) => id === wanted && supported) === true;
  const chosen = linked !== null || known ? wanted : (firstPlayable(programs ?? [])?.id ?? null);
  const choose = useCallback(
    (program: string) => {
      remember(program);
      const parameters = new URLSearchParams(search);
      parameters.set("rom", program);
      go(`${path}?${parameters}`, { replace: true });
    },
    [path, search, go, remember],
  );
  const title = programs?.find(({ id }) => id === chosen)?.title ?? chosen ?? "";
  return (
    <div className={classes.page}>
      <div className={classes.layout}>
        {chosen !== null && <Machine key={chosen} console={row} program={chosen} title={title} />}
        <aside className={classes.side} aria-label="ROMs">
          <ProgramList console={row} chosen={chosen} onChoose={choose} />
          <WallLink world={row.world} />
        </aside>
      </div>
    </div>
  );
}
