import type { Plugin } from "vite";

/**
 * Writes the address of the server the client is built for (`VITE_API_BASE`) into the document: for scripts that run
 * before the client is there, and for whoever serves the document, since its policy has to allow that server.
 */
export function serverAddress(): Plugin {
  let address = "";
  return {
    name: "server-address",
    configResolved: ({ env }) => {
      address = checkedAddress(env.VITE_API_BASE ?? "");
    },
    transformIndexHtml: () =>
      address === ""
        ? []
        : [{ tag: "meta", attrs: { name: "diorama-server", content: address }, injectTo: "head-prepend" }],
  };
}

/** Returns an address without slashes at its end; "" is the origin of the page itself. */
export function checkedAddress(text: string): string {
  if (text === "") {
    return "";
  }
  const address = URL.canParse(text) ? new URL(text) : null;
  if (address === null || !/^https?:$/.test(address.protocol) || address.search !== "" || address.hash !== "") {
    throw new Error(
      `VITE_API_BASE: ${JSON.stringify(text)} is no address of a server; use one like https://api.example`,
    );
  }
  return text.replace(/\/+$/, "");
}
