import { Stack } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Hero } from "./components/Hero";
import { NewestRuns } from "./components/NewestRuns";
import { WorldCards } from "./components/WorldCards";
import classes from "./landing.module.css";

export default function LandingPage() {
  useDocumentTitle("Diorama");
  return (
    <Stack gap={40} pb={64}>
      <Hero />
      <div className={classes.width}>
        <WorldCards />
      </div>
      <div className={classes.width}>
        <NewestRuns />
      </div>
    </Stack>
  );
}
