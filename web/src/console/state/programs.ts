import type { ProgramRow } from "./calls";

export interface ProgramGroup {
  title: string;
  programs: ProgramRow[];
}

const TITLES = [
  ["game", "Games"],
  ["folder", "Your ROMs"],
  ["test", "Test ROMs"],
] as const;

/** Groups programs by where they come from, narrowed to those that a search finds. */
export function groupPrograms(programs: readonly ProgramRow[], search: string): ProgramGroup[] {
  const words = search.trim().toLowerCase().split(/\s+/);
  const found = programs.filter(({ id, title, about }) => {
    const text = `${id} ${title} ${about}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return TITLES.map(([source, title]) => ({
    title,
    programs: found.filter((program) => program.source === source),
  })).filter((group) => group.programs.length > 0);
}

/** The program that is played where none was chosen: the first that can be. */
export function firstPlayable(programs: readonly ProgramRow[]): ProgramRow | undefined {
  return programs.find((program) => program.supported);
}

/** Returns a size as cartridges are measured. */
export function sizeWords(bytes: number): string {
  const kibibytes = bytes / 1024;
  return kibibytes >= 1024 ? `${+(kibibytes / 1024).toFixed(1)} MiB` : `${+kibibytes.toFixed(1)} KiB`;
}
