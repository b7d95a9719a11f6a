/** Short names for what the server answers; the shapes come from its OpenAPI document. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export type WorldDescriptor = Schemas["WorldDescriptor"];
export type Metric = Schemas["Metric"];

export type RunList = Schemas["RunList"];
export type RunRow = Schemas["RunRow"];
export type RunStatus = RunRow["status"];
export type RunDetail = Schemas["RunDetail"];
export type LatestCheckpoint = Schemas["LatestCheckpoint"];

/** A closed window; besides the named fields it has `{metric}_mean` for every metric of the world, and its aliases. */
export type WindowRow = Schemas["WindowRow"];

export type ReplayEntry = Schemas["ReplayEntry"];
export type ReplayList = Schemas["ReplayList"];
export type ReplayDetail = Schemas["ReplayDetail"];
export type Frame = Schemas["Frame"];
export type FramePage = Schemas["FramePage"];

export type ChampionRow = Schemas["ChampionRow"];
export type BestReplay = Schemas["BestReplay"];

export type RunState = Schemas["RunState"];
export type CheckpointMark = Schemas["CheckpointMark"];

export type SessionState = Schemas["SessionState"];
export type SessionMoments = Schemas["SessionMoments"];
export type SeatRows = Schemas["SeatRows"];
export type SeatDecision = Schemas["SeatDecision"];

export type Completeness = Schemas["Completeness"];
export type SourceRow = Schemas["SourceRow"];
export type SourceStatus = SourceRow["status"];

export type TrackerStatus = Schemas["TrackerStatus"];
