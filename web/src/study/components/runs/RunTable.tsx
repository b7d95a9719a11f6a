import { Button, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import type { RunRow } from "../../../api/types";
import { useChartColors } from "../../../shared/useChartColors";
import { useNow } from "../../../shared/useNow";
import type { SortKey, SortOrder } from "../../state/filters";
import { RunTableRow } from "./RunTableRow";
import classes from "./runs.module.css";

interface Props {
  runs: readonly RunRow[];
  selected: readonly string[];
  onToggle: (run: string) => void;
  order: SortOrder;
  onOrder: (order: SortOrder) => void;
}

const PAGE = 80;

const COLUMNS: readonly { key: SortKey; label: string; align: "left" | "right" }[] = [
  { key: "name", label: "Run", align: "left" },
  { key: "steps", label: "Steps", align: "right" },
  { key: "updated", label: "Updated", align: "right" },
];

export function RunTable({ runs, selected, onToggle, order, onOrder }: Props) {
  const now = useNow();
  const colors = useChartColors();
  const [shown, setShown] = useState(PAGE);
  return (
    <>
      <Table verticalSpacing={7} horizontalSpacing={8} stickyHeader className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={34}>
              <VisuallyHidden>Chosen</VisuallyHidden>
            </Table.Th>
            {COLUMNS.map(({ key, label, align }) => (
              <Table.Th
                key={key}
                ta={align}
                aria-sort={order.key === key ? (order.isDescending ? "descending" : "ascending") : "none"}
              >
                <UnstyledButton
                  className={classes.sort}
                  onClick={() =>
                    onOrder({ key, isDescending: order.key === key ? !order.isDescending : key !== "name" })
                  }
                >
                  {label}
                  {order.key === key && <SortArrow isDescending={order.isDescending} />}
                </UnstyledButton>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.slice(0, shown).map((run) => {
            const place = selected.indexOf(run.run_id);
            return (
              <RunTableRow
                key={run.run_id}
                run={run}
                color={place < 0 ? null : (colors.series[place % colors.series.length] ?? null)}
                onToggle={onToggle}
                now={now}
              />
            );
          })}
        </Table.Tbody>
      </Table>
      {shown < runs.length && (
        <Button variant="subtle" size="xs" fullWidth onClick={() => setShown(shown + PAGE)}>
          Show more ({runs.length - shown} left)
        </Button>
      )}
    </>
  );
}

function SortArrow({ isDescending }: { isDescending: boolean }) {
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  return <Arrow size={12} aria-hidden />;
}
