import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const SERVER = process.env.DIORAMA_SERVER ?? "http://127.0.0.1:8000";
const PROXIED = ["/api", "/health", "/metrics"];

export default defineConfig({
  plugins: [react()],
  server: {
    proxy: {
      ...Object.fromEntries(PROXIED.map((path) => [path, SERVER])),
      "/ws": { target: SERVER, ws: true },
    },
  },
  build: {
    outDir: "../src/diorama/server/static",
    emptyOutDir: true,
    // PixiJS alone passes the default limit; it is loaded by the pages that draw.
    chunkSizeWarningLimit: 900,
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
  },
});
