import { SegmentedControl } from "@mantine/core";
import { isPalette, type PaletteName } from "./shades";

interface Props {
  palette: PaletteName;
  onPalette: (palette: PaletteName) => void;
}

/** Chooses the colors of a console's screen. */
export function PaletteSwitch({ palette, onPalette }: Props) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Colors"
      value={palette}
      onChange={(value) => isPalette(value) && onPalette(value)}
      data={[
        { value: "grey", label: "Gray" },
        { value: "green", label: "Green" },
      ]}
    />
  );
}
