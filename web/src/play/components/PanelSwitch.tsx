import { Switch, type SwitchProps } from "@mantine/core";

interface Props extends Omit<SwitchProps, "onChange" | "size"> {
  onSwitch: (isOn: boolean) => void;
}

/** A switch that gives the keyboard back to the world after a click: keys pressed in a field are not the world's. */
export function PanelSwitch({ onSwitch, ...rest }: Props) {
  return (
    <Switch
      {...rest}
      size="xs"
      onChange={({ currentTarget }) => {
        onSwitch(currentTarget.checked);
        if (!currentTarget.matches(":focus-visible")) {
          currentTarget.blur();
        }
      }}
    />
  );
}
