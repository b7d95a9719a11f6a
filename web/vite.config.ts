import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { bundledPackages } from "./tools/bundledPackages.ts";
import { earlyHints } from "./tools/earlyHints.ts";
import { serverAddress } from "./tools/serverAddress.ts";

const SERVER = process.env.DIORAMA_SERVER ?? "http://127.0.0.1:8000";
const PROXIED = ["/api", "/health", "/metrics"];

export default defineConfig({
  plugins: [react(), serverAddress(), earlyHints(), bundledPackages()],
  server: {
    proxy: {
      ...Object.fromEntries(PROXIED.map((path) => [path, SERVER])),
      "/ws": { target: SERVER, ws: true },
    },
  },
  // Bundled for development it would look for its program beside the bundle.
  optimizeDeps: { exclude: ["onnxruntime-web"] },
  build: {
    outDir: "../src/diorama/server/static",
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files, cut where pages need them: each costs a request before the first picture.
          groups: [
            { name: "opening", test: /preload-helper|node_modules\/(@tanstack|openapi-fetch|react)\/|src\/api\// },
            { name: "icons", test: /node_modules\/lucide-react\// },
            { name: "pixi", test: /node_modules\/(pixi\.js|earcut|eventemitter3)\// },
            { name: "widgets", test: /node_modules\/(@mantine|@floating-ui|react-dom|wouter)\/.*\.m?js$/ },
          ],
        },
      },
    },
    // PixiJS alone passes the default limit; it is loaded by the pages that draw.
    chunkSizeWarningLimit: 900,
  },
  test: {
    environment: "happy-dom",
    // Making a page for each file takes ten times as long as the tests, which leave nothing behind.
    isolate: false,
    include: ["src/**/*.test.{ts,tsx}", "tools/**/*.test.ts"],
  },
});
