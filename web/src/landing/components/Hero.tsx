import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { Gamepad2, Telescope } from "lucide-react";
import { Link } from "wouter";
import classes from "../landing.module.css";
import { HeroCase } from "./HeroCase";

export function Hero() {
  return (
    <header className={classes.hero}>
      <div className={`${classes.width} ${classes.heroColumns}`}>
        <Stack gap="lg">
          <Title order={1} className={classes.pitch}>
            Small worlds where agents learn in the open.
          </Title>
          <Text className={classes.lead}>
            Watch trained policies live their episodes frame by frame, take the controls from any moment, and study how
            they came to act that way.
          </Text>
          <Group gap="sm">
            <Button component={Link} href="/watch" size="md" leftSection={<Telescope size={18} aria-hidden />}>
              Watch the best replay
            </Button>
            <Button
              component={Link}
              href="/play"
              size="md"
              variant="default"
              leftSection={<Gamepad2 size={18} aria-hidden />}
            >
              Play a game
            </Button>
          </Group>
        </Stack>
        <HeroCase />
      </div>
    </header>
  );
}
