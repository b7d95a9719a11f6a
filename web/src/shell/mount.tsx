import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";

/** Puts the client into the page. */
export function mount(root: HTMLElement): void {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
