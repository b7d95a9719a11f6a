import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Map as MapIcon } from "lucide-react";
import { Link } from "wouter";
import { scenariosQuery } from "../state/calls";

/** Leads to the campaigns of a world; nothing for a world without. */
export function CampaignLink({ world }: { world: string }) {
  const { data } = useQuery(scenariosQuery);
  if (data?.scenarios.some((scenario) => scenario.world === world) !== true) {
    return null;
  }
  return (
    <Button component={Link} href="/campaign" variant="light" leftSection={<MapIcon size={16} aria-hidden />}>
      Campaign
    </Button>
  );
}
