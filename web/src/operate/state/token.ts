import { useSessionStorage } from "@mantine/hooks";

/** The operator's token; kept for this tab alone, never in an address. */
export function useToken(): [string | null, (token: string | null) => void] {
  const [token, setToken] = useSessionStorage<string>({
    key: "diorama.operator-token",
    defaultValue: "",
    getInitialValueInEffect: false,
  });
  return [token === "" ? null : token, (next) => setToken(next ?? "")];
}
