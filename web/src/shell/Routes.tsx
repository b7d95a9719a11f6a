import { useEffect } from "react";
import { Route, Switch, useLocation } from "wouter";
import { fetchedPage } from "./fetchedPage";
import { NotFound } from "./NotFound";
import { PageErrorBoundary } from "./PageErrorBoundary";

const PAGES = {
  landing: fetchedPage(() => import("../landing/Page")),
  watch: fetchedPage(() => import("../watch/Page")),
  play: fetchedPage(() => import("../play/Page")),
  campaign: fetchedPage(() => import("../campaign/Page")),
  wall: fetchedPage(() => import("../wall/Page")),
  study: fetchedPage(() => import("../study/Page")),
  scoreboard: fetchedPage(() => import("../scoreboard/Page")),
  operate: fetchedPage(() => import("../operate/Page")),
};

const PRELOAD_AFTER_MS = 3_000;

/** Fetches the page of an address; one that cannot be fetched is asked for again when it is shown. */
export async function fetchPageOf(pathname: string): Promise<void> {
  const page = pathname.startsWith("/watch") ? PAGES.watch : undefined;
  await page?.fetch().catch(() => undefined);
}

export function Routes() {
  const [path] = useLocation();
  usePreloadedPages();
  return (
    <PageErrorBoundary path={path}>
      <Switch>
        <Route path="/" component={PAGES.landing.Page} />
        <Route path="/watch/:run?/:replay?" component={PAGES.watch.Page} />
        <Route path="/play" component={PAGES.play.Page} />
        <Route path="/campaign/:id?" component={PAGES.campaign.Page} />
        <Route path="/wall" component={PAGES.wall.Page} />
        <Route path="/analytics" component={PAGES.study.Page} />
        <Route path="/study" component={PAGES.study.Page} />
        <Route path="/scoreboard" component={PAGES.scoreboard.Page} />
        <Route path="/operate" component={PAGES.operate.Page} />
        <Route component={NotFound} />
      </Switch>
    </PageErrorBoundary>
  );
}

/** Fetches the other pages once the first is up, so that changing page works at once, also while the server is away. */
function usePreloadedPages(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      // A page that cannot be fetched now is fetched, and its failure shown, when it is opened.
      void Promise.allSettled(Object.values(PAGES).map((page) => page.fetch()));
    }, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
