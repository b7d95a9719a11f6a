import { expect, it } from "vitest";
import { readQuestion, socketPath, wallAddress } from "./question";

it("comes back from its address as it was", () => {
  const question = { copies: 256, player: "seeker", rate: 10, rom: "CATCH" };
  const address = wallAddress("gameboy", question);

  expect(readQuestion(address.split("?")[1] ?? "")).toEqual(question);
});

it("leaves defaults out of the address, and takes them for what makes no sense", () => {
  const question = readQuestion("copies=-3&rate=fast");

  expect(wallAddress("gameboy", question)).toBe("/wall?world=gameboy");
});

it("asks the socket for a game by its configuration", () => {
  const path = socketPath("gameboy", { copies: 4, player: "random", rate: 2, rom: "CATCH" }, { rom: "CATCH" });

  const asked = new URLSearchParams(path.split("?")[1]);
  expect(Object.fromEntries(asked)).toEqual({
    world: "gameboy",
    copies: "4",
    player: "random",
    rate: "2",
    config: '{"rom":"CATCH"}',
  });
});
