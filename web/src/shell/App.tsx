import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { queryClient } from "./queryClient";
import { Routes } from "./Routes";
import { Shell } from "./Shell";
import { cssVariables, theme } from "./theme/theme";

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <Notifications position="bottom-right" />
        <Shell>
          <Routes />
        </Shell>
      </MantineProvider>
    </QueryClientProvider>
  );
}
