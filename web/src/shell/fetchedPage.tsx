import { type ComponentType, lazy, useState } from "react";

type PageModule = { default: ComponentType };

export interface FetchedPage {
  Page: ComponentType;
  fetch: () => Promise<void>;
}

/**
 * A page that is fetched when it is first shown, or before that.
 *
 * One that is there already is shown without a placeholder, which React would keep for a third of a second.
 */
export function fetchedPage(load: () => Promise<PageModule>): FetchedPage {
  let fetched: ComponentType | null = null;
  const Later = lazy(load);
  const fetch = async () => {
    fetched = (await load()).default;
  };
  function Page() {
    const [Shown] = useState<ComponentType>(() => fetched ?? Later);
    return <Shown />;
  }
  return { Page, fetch };
}
