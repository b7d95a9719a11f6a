import { Button } from "@mantine/core";
import { Grid3x3 } from "lucide-react";
import { Link } from "wouter";
import { useWorld } from "../../api/queries";
import { sendsPixels } from "../../renderers/sceneQuery";

/** Leads to many copies at once; nothing for a world that agents do not see as pixels. */
export function WallLink({ world }: { world: string }) {
  const { data } = useWorld(world);
  if (data === undefined || !sendsPixels(data)) {
    return null;
  }
  return (
    <Button
      component={Link}
      href={`/wall?world=${encodeURIComponent(world)}`}
      variant="light"
      leftSection={<Grid3x3 size={16} aria-hidden />}
    >
      Wall
    </Button>
  );
}
