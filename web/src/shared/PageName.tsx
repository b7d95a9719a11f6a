import { VisuallyHidden } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";

/** What a page is called, in the tab of the browser and for those who hear it; its looks tell the others. */
export function PageName({ name }: { name: string }) {
  useDocumentTitle(`${name} · Diorama`);
  return <VisuallyHidden component="h1">{name}</VisuallyHidden>;
}
