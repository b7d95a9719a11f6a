import { useMemo } from "react";
import type { PanelsProps } from "../../renderer";
import { knownPlaces, type PilotNote } from "../memory";
import { asProspector } from "../state";
import { BeltPanel } from "./BeltPanel";
import { MarketPanel } from "./MarketPanel";

/** The market and the chart of the belt, as the pilot knows them. */
export function Panels({ state, past, whole, manifests, onPick, isOpen }: PanelsProps) {
  const now = asProspector(state);
  // The pages keep what `noteOf` of this world returned.
  const notes = past.notes as readonly PilotNote[];
  const later = whole?.notes as readonly PilotNote[] | undefined;
  const places = useMemo(() => knownPlaces(notes), [notes]);
  const laterPlaces = useMemo(() => (later === undefined ? null : knownPlaces(later)), [later]);
  return (
    <>
      <MarketPanel
        state={now}
        notes={notes}
        isWhole={past.isWhole}
        manifests={manifests}
        onPick={onPick}
        isOpen={isOpen}
      />
      <BeltPanel
        state={now}
        places={places}
        laterPlaces={laterPlaces}
        isWhole={past.isWhole}
        colors={manifests.graphics.colors}
      />
    </>
  );
}
