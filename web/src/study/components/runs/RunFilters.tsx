import { MultiSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Search } from "lucide-react";
import { useRef } from "react";
import type { RunFilter } from "../../state/filters";

const STATUSES = ["running", "completed", "stopped", "failed", "unreadable"];

interface Props {
  filter: RunFilter;
  onChange: (filter: RunFilter) => void;
  tags: string[];
}

export function RunFilters({ filter, onChange, tags }: Props) {
  const search = useRef<HTMLInputElement>(null);
  useHotkeys([["/", () => search.current?.focus()]]);
  return (
    <>
      <TextInput
        ref={search}
        aria-label="Search runs"
        placeholder="Search name, tag, backend  ( / )"
        leftSection={<Search size={15} aria-hidden />}
        value={filter.search}
        onChange={(event) => onChange({ ...filter, search: event.currentTarget.value })}
        type="search"
      />
      <SimpleGrid cols={2} spacing="xs">
        <MultiSelect
          aria-label="Filter by status"
          placeholder={filter.statuses.length === 0 ? "Any status" : undefined}
          data={STATUSES}
          value={[...filter.statuses]}
          onChange={(statuses) => onChange({ ...filter, statuses })}
          size="xs"
          clearable
        />
        <MultiSelect
          aria-label="Filter by tag"
          placeholder={filter.tags.length === 0 ? "Any tag" : undefined}
          data={tags}
          value={[...filter.tags]}
          onChange={(chosen) => onChange({ ...filter, tags: chosen })}
          size="xs"
          searchable
          clearable
          nothingFoundMessage="No such tag"
        />
      </SimpleGrid>
    </>
  );
}
