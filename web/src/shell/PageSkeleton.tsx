import { Group, Skeleton, Stack } from "@mantine/core";

export function PageSkeleton() {
  return (
    <Stack p="lg" gap="lg" role="status" aria-busy="true" aria-label="Loading the page">
      <Skeleton h={36} w={280} />
      <Group grow align="stretch">
        <Skeleton h={220} />
        <Skeleton h={220} visibleFrom="sm" />
      </Group>
      <Skeleton h={320} />
    </Stack>
  );
}
