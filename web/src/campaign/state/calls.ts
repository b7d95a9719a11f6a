import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { components } from "../../api/schema";
import type { JsonObject } from "../../api/types";

export type CampaignState = components["schemas"]["CampaignState"];
export type CampaignChange = components["schemas"]["CampaignChange"];
export type CampaignRow = components["schemas"]["CampaignRow"];
export type Recording = components["schemas"]["BattleRecording"];
export type NewCampaign = components["schemas"]["CreateCampaign"];
export type ScenarioRow = components["schemas"]["ScenarioRow"];

const RECORDING_LOOK_MS = 2_000;
const STATIC_MS = 5 * 60_000;

const at = (id: string) => ({ params: { path: { campaign_id: id } } });

export const campaignKeys = {
  all: ["campaigns"] as const,
  scenarios: ["campaign-scenarios"] as const,
  one: (id: string) => ["campaign", id] as const,
};

export const campaignsQuery = queryOptions({
  queryKey: campaignKeys.all,
  queryFn: ({ signal }) => unwrap(api.GET("/api/campaigns", { signal })),
  staleTime: 0,
});

export const scenariosQuery = queryOptions({
  queryKey: campaignKeys.scenarios,
  queryFn: ({ signal }) => unwrap(api.GET("/api/campaign-scenarios", { signal })),
  staleTime: STATIC_MS,
});

/** A campaign; asked again while one of its battles is being recorded. */
export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: campaignKeys.one(id),
    queryFn: ({ signal }) => unwrap(api.GET("/api/campaigns/{campaign_id}", { ...at(id), signal })),
    refetchInterval: ({ state }) => (state.data?.recordings.some(isUnderWay) === true ? RECORDING_LOOK_MS : false),
  });

export function isUnderWay(recording: Recording): boolean {
  return recording.status === "waiting" || recording.status === "recording";
}

export function createCampaign(body: NewCampaign): Promise<CampaignState> {
  return unwrap(api.POST("/api/campaigns", { body }));
}

export function uploadCampaign(save: string, name: string | null): Promise<CampaignState> {
  return unwrap(api.POST("/api/campaign-saves", { body: { save, name } }));
}

export function deleteCampaign(id: string): Promise<unknown> {
  return unwrap(api.DELETE("/api/campaigns/{campaign_id}", at(id)));
}

export function giveOrder(id: string, order: string): Promise<CampaignChange> {
  return unwrap(api.POST("/api/campaigns/{campaign_id}/orders", { ...at(id), body: { order } }));
}

export function advanceDay(id: string, autopilot: boolean): Promise<CampaignChange> {
  return unwrap(api.POST("/api/campaigns/{campaign_id}/advance", { ...at(id), body: { days: 1, autopilot } }));
}

export function fightBattle(id: string, ownScript: string | null): Promise<CampaignChange> {
  const body = { own_script: ownScript, scripts: {} };
  return unwrap(api.POST("/api/campaigns/{campaign_id}/battle/fight", { ...at(id), body }));
}

export function applyResult(id: string, result: JsonObject): Promise<CampaignChange> {
  return unwrap(api.POST("/api/campaigns/{campaign_id}/battle/result", { ...at(id), body: { result } }));
}

export function readPackage(id: string): Promise<{ package: object }> {
  return unwrap(api.GET("/api/campaigns/{campaign_id}/battle", at(id)));
}

export function recordBattle(id: string, battle: string): Promise<Recording> {
  const params = { path: { campaign_id: id, battle_id: battle } };
  return unwrap(api.POST("/api/campaigns/{campaign_id}/battles/{battle_id}/replay", { params }));
}
