import { Select } from "@mantine/core";
import { Globe } from "lucide-react";
import { useWorlds } from "../../api/queries";
import { useSelectedWorld } from "../../shared/world/useSelectedWorld";
import { worldTitle } from "../../shared/world/worldTitle";
import classes from "./Header.module.css";

const ALL = "";

/** Narrows every page to one world. */
export function WorldPicker() {
  const worlds = useWorlds();
  const [world, selectWorld] = useSelectedWorld();
  const ids = worlds.data?.worlds ?? [];
  const known = world === null || ids.includes(world) ? ids : [...ids, world];
  const options = [{ value: ALL, label: "All worlds" }, ...known.map((id) => ({ value: id, label: worldTitle(id) }))];
  return (
    <Select
      aria-label="World"
      size="sm"
      className={classes.world}
      data={options}
      value={world ?? ALL}
      onChange={(value) => selectWorld(value === ALL ? null : value)}
      allowDeselect={false}
      leftSection={<Globe size={15} aria-hidden />}
      comboboxProps={{ shadow: "md" }}
    />
  );
}
