import { Select, Tooltip } from "@mantine/core";
import { SlidersHorizontal } from "lucide-react";
import type { WorldDescriptor } from "../../api/types";
import { worldTitle } from "../../shared/world/worldTitle";

const DEFAULT = "";

interface Props {
  descriptor: WorldDescriptor;
  onChoose: (variant: string | null) => void;
}

/** In which of its variants a world is played; nothing where it has only one. */
export function VariantPicker({ descriptor, onChoose }: Props) {
  if (descriptor.variants.length === 0) {
    return null;
  }
  const named = descriptor.variants.map((variant) => ({ value: variant, label: worldTitle(variant) }));
  return (
    <Tooltip label="Variant of the world: what is seen of it, and how it is played">
      <Select
        aria-label="Variant"
        size="sm"
        w={142}
        data={[{ value: DEFAULT, label: "Default" }, ...named]}
        value={descriptor.variant ?? DEFAULT}
        onChange={(value) => onChoose(value === DEFAULT ? null : value)}
        allowDeselect={false}
        leftSection={<SlidersHorizontal size={15} aria-hidden />}
        comboboxProps={{ shadow: "md" }}
      />
    </Tooltip>
  );
}
