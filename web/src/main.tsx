import "@fontsource/inter/latin-400.css";
import "@fontsource/inter/latin-500.css";
import "@fontsource/inter/latin-600.css";
import "@fontsource/inter/latin-700.css";
import "@fontsource/jetbrains-mono/latin-400.css";
import "@fontsource/jetbrains-mono/latin-600.css";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./shell/theme/global.css";
import { queryClient } from "./shell/queryClient";
import { openEarly } from "./watch/state/openEarly";

const root = document.getElementById("root");
if (root === null) {
  throw new Error("index.html has no element with the id root");
}
// This file stays small, so that what a linked replay needs is asked for while the rest of the client is fetched.
openEarly(queryClient, window.location);
if (window.location.pathname.startsWith("/watch")) {
  // Asked for again, and a failure shown, when the page opens.
  import("./watch/Page").catch(() => undefined);
}
const { mount } = await import("./shell/mount");
await mount(root);
