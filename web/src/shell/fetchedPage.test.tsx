import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { type ComponentType, type ReactNode, useEffect } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { fetchedPage } from "./fetchedPage";

afterEach(cleanup);

const load = async () => ({ default: () => <p>the page</p> });

const within = (page: ReactNode) => <MantineProvider>{page}</MantineProvider>;

it("shows a page that was fetched without a placeholder", async () => {
  const { Page, fetch } = fetchedPage(load);
  await fetch();
  render(within(<Page />));
  expect(screen.queryByRole("status")).toBeNull();
  expect(screen.getByText("the page")).toBeDefined();
});

it("fetches a page when it is shown", async () => {
  const { Page } = fetchedPage(load);
  render(within(<Page />));
  expect(screen.getByRole("status", { name: "Loading the page" })).toBeDefined();
  expect(await screen.findByText("the page")).toBeDefined();
});

it("ends the page that is left before the next one is there", async () => {
  const ended = vi.fn();
  function Left() {
    useEffect(() => ended, []);
    return <p>left</p>;
  }
  const left = fetchedPage(async () => ({ default: Left }));
  const never = fetchedPage(() => new Promise<{ default: ComponentType }>(() => undefined));
  await left.fetch();
  const { rerender } = render(within(<left.Page />));
  expect(ended).not.toHaveBeenCalled();

  rerender(within(<never.Page />));

  expect(screen.getByRole("status", { name: "Loading the page" })).toBeDefined();
  expect(ended).toHaveBeenCalledOnce();
});
