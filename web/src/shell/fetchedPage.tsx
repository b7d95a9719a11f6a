import { type ComponentType, lazy, Suspense, useState } from "react";
import { PageSkeleton } from "./PageSkeleton";

type PageModule = { default: ComponentType };

export interface FetchedPage {
  Page: ComponentType;
  fetch: () => Promise<void>;
}

/**
 * A page that is fetched when it is first shown, or before that.
 *
 * One that is there already is shown without a placeholder, which React would keep for a third of a second. Every page
 * waits behind a placeholder of its own: behind a common one the page that is left would live on, hidden, until the next is
 * there, and might still write its own address over that of the next.
 */
export function fetchedPage(load: () => Promise<PageModule>): FetchedPage {
  let fetched: ComponentType | null = null;
  const Later = lazy(load);
  const fetch = async () => {
    fetched = (await load()).default;
  };
  function Page() {
    const [Shown] = useState<ComponentType>(() => fetched ?? Later);
    return (
      <Suspense fallback={<PageSkeleton />}>
        <Shown />
      </Suspense>
    );
  }
  return { Page, fetch };
}
