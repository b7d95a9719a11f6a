import { ActionIcon, Button, Group, Menu, Tooltip } from "@mantine/core";
import { ChevronDown, type LucideIcon, Maximize, ZoomIn, ZoomOut } from "lucide-react";
import type { PictureTool, ToolChoices } from "../renderer";
import classes from "./WorldView.module.css";

const ICONS: Readonly<Record<"zoom-in" | "zoom-out" | "fit", LucideIcon>> = {
  "zoom-in": ZoomIn,
  "zoom-out": ZoomOut,
  fit: Maximize,
};

interface Props {
  tools: readonly PictureTool[];
  choices: ToolChoices;
  onChoose: (key: string, value: string | boolean) => void;
  onPress: (key: string) => void;
}

/**
 * A bar over the picture: what is shown, from where, and whose knowledge it is.
 *
 * All of it are buttons: a field would keep the focus, and the keys of the page would go to it.
 */
export function PictureTools({ tools, choices, onChoose, onPress }: Props) {
  return (
    <Group className={classes.tools} gap={6} role="toolbar" aria-label="Picture">
      {tools.map((tool) => {
        switch (tool.kind) {
          case "choice":
            return <Choice key={tool.key} tool={tool} value={choices[tool.key]} onChoose={onChoose} />;
          case "switch":
            return <Toggle key={tool.key} tool={tool} isOn={choices[tool.key] === true} onChoose={onChoose} />;
          default:
            return <Press key={tool.key} tool={tool} onPress={onPress} />;
        }
      })}
    </Group>
  );
}

function Choice({
  tool,
  value,
  onChoose,
}: {
  tool: Extract<PictureTool, { kind: "choice" }>;
  value: string | boolean | undefined;
  onChoose: Props["onChoose"];
}) {
  const chosen = tool.options.find((option) => option.value === value)?.label ?? tool.label;
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          h={30}
          rightSection={<ChevronDown size={13} aria-hidden />}
          title={tool.label}
          data-testid={`tool-${tool.key}`}
        >
          {chosen}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {tool.options.map((option) => (
          <Menu.Item key={option.value} onClick={() => onChoose(tool.key, option.value)}>
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Toggle({
  tool,
  isOn,
  onChoose,
}: {
  tool: Extract<PictureTool, { kind: "switch" }>;
  isOn: boolean;
  onChoose: Props["onChoose"];
}) {
  return (
    <Tooltip label={tool.hint} openDelay={300}>
      <Button
        variant={isOn ? "filled" : "default"}
        size="compact-sm"
        h={30}
        aria-pressed={isOn}
        onClick={() => onChoose(tool.key, !isOn)}
        data-testid={`tool-${tool.key}`}
      >
        {tool.label}
      </Button>
    </Tooltip>
  );
}

function Press({ tool, onPress }: { tool: Extract<PictureTool, { kind: "button" }>; onPress: (key: string) => void }) {
  const Icon = ICONS[tool.icon];
  return (
    <Tooltip label={tool.label} openDelay={300}>
      <ActionIcon variant="default" size={30} aria-label={tool.label} onClick={() => onPress(tool.key)}>
        <Icon size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
