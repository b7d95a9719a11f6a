import { queryOptions } from "@tanstack/react-query";
import { isObject, type Json, type JsonObject } from "./json";
import { bearer, liveUrl } from "./liveAddress";

/** A property of a command's arguments, as far as forms need to know. */
export interface ArgumentSchema {
  type?: string | readonly string[];
  enum?: readonly Json[];
  anyOf?: readonly ArgumentSchema[];
  default?: Json;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  description?: string;
  items?: ArgumentSchema;
}

export interface CommandRow {
  name: string;
  role: "viewer" | "admin";
  needs_id: boolean;
  summary: string;
  usage: string;
  arguments: { properties?: Readonly<Record<string, ArgumentSchema>>; required?: readonly string[] };
}

export interface CommandAnswer {
  cmd_id: string | null;
  name: string;
  status: "ok" | "error";
  result?: JsonObject;
  error?: { code: string; reason: string; message: string };
  issuer?: string;
  tick?: number;
  latency_ms?: number;
  replayed?: boolean;
}

export interface Order {
  name: string;
  kwargs: JsonObject;
  isDryRun?: boolean;
}

/** Speaks to the console of a live world. */
export class ConsoleClient {
  constructor(
    readonly base: string,
    readonly id: string,
    readonly token: string | null,
  ) {}

  /** Gives a command; a refusal is an answer too. Throws where there is none. */
  async give({ name, kwargs, isDryRun = false }: Order): Promise<CommandAnswer> {
    const headers = { "Content-Type": "application/json", ...bearer(this.token) };
    const body = JSON.stringify({ name, kwargs, cmd_id: crypto.randomUUID(), ...(isDryRun ? { dry_run: true } : {}) });
    const path = `/api/v1/worlds/${encodeURIComponent(this.id)}/console`;
    const response = await fetch(liveUrl(this.base, path), { method: "POST", headers, body });
    const answer = (await response.json()) as Json;
    if (isObject(answer) && "status" in answer) {
      return answer as unknown as CommandAnswer;
    }
    const detail = isObject(answer) && typeof answer.detail === "string" ? answer.detail : `status ${response.status}`;
    throw new Error(detail);
  }
}

export const commandsQuery = (client: ConsoleClient) =>
  queryOptions({
    queryKey: ["console-commands", client.base, client.id, client.token !== null],
    queryFn: async (): Promise<CommandRow[]> => {
      const answer = await client.give({ name: "help", kwargs: {} });
      if (answer.status === "error") {
        throw new Error(answer.error?.message ?? "the console gave no list of its commands");
      }
      return (answer.result?.commands ?? []) as unknown as CommandRow[];
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
