import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { fetchPageOf } from "./Routes";

/** Puts the client into the document when the page of the present address is there. */
export async function mount(root: HTMLElement): Promise<void> {
  await fetchPageOf(window.location.pathname);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
