import { CloseButton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import type { WorldModule } from "../../renderers/renderer";
import classes from "./Play.module.css";

/** Four lines are enough to begin; they stay away once closed. */
export function HowTo({ howTo }: { howTo: WorldModule["howTo"] }) {
  const [isOpen, setOpen] = useLocalStorage({
    key: "diorama.howto",
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  if (!isOpen) {
    return null;
  }
  return (
    <section className={`case ${classes.howTo}`} aria-label="How to play">
      <ol>
        {howTo.map((line) => (
          <li key={line.title}>
            <b>{line.title}</b> <span>{line.text}</span>
          </li>
        ))}
      </ol>
      <CloseButton aria-label="Close the how-to" onClick={() => setOpen(false)} />
    </section>
  );
}
