import { Alert, Drawer, Skeleton, Table, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { fromBase64, type PaletteName, paintShades } from "../../renderers/pixels/shades";
import { QueryError } from "../../shared/states/QueryError";
import classes from "../console.module.css";
import { type Inspection, inspectionQuery } from "../state/calls";

const REFRESH_MS = 500;

interface Props {
  session: string;
  isOpen: boolean;
  isPaused: boolean;
  frameCount: number;
  palette: PaletteName;
  onClose: () => void;
}

/** The inside of a console: looked at twice a second while it runs, and after every frame while it stands still. */
export function Inspector({ session, isOpen, isPaused, frameCount, palette, onClose }: Props) {
  const inspection = useQuery({
    ...inspectionQuery(session),
    enabled: isOpen,
    refetchInterval: isPaused ? false : REFRESH_MS,
  });
  const { refetch } = inspection;
  const shownFrame = isPaused ? frameCount : -1;
  useEffect(() => {
    if (isOpen && shownFrame >= 0) {
      void refetch();
    }
  }, [isOpen, shownFrame, refetch]);
  const seen = inspection.data;
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={430}
      title={`Inside the console${seen === undefined ? "" : `, frame ${seen.frame_count}`}`}
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      closeOnClickOutside={false}
    >
      {inspection.error !== null && (
        <QueryError error={inspection.error} what="the inside of the console" onRetry={() => void refetch()} />
      )}
      {seen === undefined && inspection.error === null && <Skeleton h={400} />}
      {seen !== undefined && <Inside seen={seen} palette={palette} />}
    </Drawer>
  );
}

function Inside({ seen, palette }: { seen: Inspection; palette: PaletteName }) {
  const groups = [...new Set(seen.registers.map(({ group }) => group))];
  return (
    <>
      {seen.trap !== null && (
        <Alert color="red" mb="sm">
          {seen.trap}
        </Alert>
      )}
      <Tabs defaultValue="processor" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="processor">Processor</Tabs.Tab>
          <Tabs.Tab value="tiles">Tiles</Tabs.Tab>
          <Tabs.Tab value="objects">Objects</Tabs.Tab>
          <Tabs.Tab value="serial">Serial</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="processor">
          <Registers seen={seen} groups={groups.slice(0, 1)} />
          <Code seen={seen} />
          <Registers seen={seen} groups={groups.slice(1)} />
        </Tabs.Panel>
        <Tabs.Panel value="tiles">
          <Tiles seen={seen} palette={palette} />
        </Tabs.Panel>
        <Tabs.Panel value="objects">
          <Objects seen={seen} />
        </Tabs.Panel>
        <Tabs.Panel value="serial">
          {seen.serial_text === "" ? (
            <Text size="sm" c="dimmed">
              Nothing was sent over the serial port.
            </Text>
          ) : (
            <pre className={classes.serial}>{seen.serial_text}</pre>
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Registers({ seen, groups }: { seen: Inspection; groups: readonly string[] }) {
  return groups.map((group) => (
    <section key={group} className={classes.registers} aria-label={group}>
      <h3 className="overline">{group}</h3>
      <dl>
        {seen.registers
          .filter((register) => register.group === group)
          .map((register) => (
            <div key={register.name}>
              <dt>{register.name}</dt>
              <dd className="mono">{hex(register.value, register.digits)}</dd>
              <dd className={classes.meaning}>{register.meaning}</dd>
            </div>
          ))}
      </dl>
    </section>
  ));
}

function Code({ seen }: { seen: Inspection }) {
  return (
    <section aria-label="Code">
      <h3 className="overline">Code</h3>
      <ol className={`mono ${classes.code}`} data-testid="console-code">
        {seen.lines.map((line) => (
          <li key={line.address} aria-current={line.is_next ? "step" : undefined}>
            <span>{hex(line.address, 4)}</span>
            <span>{line.data}</span>
            <span>{line.text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Tiles({ seen, palette }: { seen: Inspection; palette: PaletteName }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { rows, columns, packed } = seen.tiles;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context != null) {
      const image = context.createImageData(columns, rows);
      paintShades(fromBase64(packed), palette, new Uint32Array(image.data.buffer));
      context.putImageData(image, 0, 0);
    }
  }, [rows, columns, packed, palette]);
  return (
    <>
      <canvas
        ref={canvas}
        width={columns}
        height={rows}
        className={classes.tiles}
        role="img"
        aria-label="Tiles in video memory"
      />
      <Text size="xs" c="dimmed" mt="xs">
        Video memory from 8000 to 97FF, sixteen tiles in a row, by color number.
      </Text>
    </>
  );
}

function Objects({ seen }: { seen: Inspection }) {
  const shown = seen.objects.filter(({ is_on_screen }) => is_on_screen);
  if (shown.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None of the {seen.objects.length} objects is on the screen.
      </Text>
    );
  }
  return (
    <Table fz="sm" className="tabular">
      <Table.Thead>
        <Table.Tr>
          {["No.", "x", "y", "Tile", "Attributes"].map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map((object) => (
          <Table.Tr key={object.index}>
            <Table.Td>{object.index}</Table.Td>
            <Table.Td>{object.x}</Table.Td>
            <Table.Td>{object.y}</Table.Td>
            <Table.Td className="mono">{hex(object.tile, 2)}</Table.Td>
            <Table.Td className="mono">{hex(object.attributes, 2)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}
