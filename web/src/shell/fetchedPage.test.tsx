import { render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { fetchedPage } from "./fetchedPage";

const load = async () => ({ default: () => <p>the page</p> });

it("shows a page that was fetched without a placeholder", async () => {
  const { Page, fetch } = fetchedPage(load);
  await fetch();
  render(
    <Suspense fallback={<p>wait</p>}>
      <Page />
    </Suspense>,
  );
  expect(screen.queryByText("wait")).toBeNull();
  expect(screen.getByText("the page")).toBeDefined();
});

it("fetches a page when it is shown", async () => {
  const { Page } = fetchedPage(load);
  const { container } = render(
    <Suspense fallback={<p>wait</p>}>
      <Page />
    </Suspense>,
  );
  expect(container.textContent).toBe("wait");
  expect(await screen.findByText("the page")).toBeDefined();
});
