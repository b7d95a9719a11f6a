import { lazy, Suspense, useEffect } from "react";
import { Route, Switch, useLocation } from "wouter";
import { NotFound } from "./NotFound";
import { PageErrorBoundary } from "./PageErrorBoundary";
import { PageSkeleton } from "./PageSkeleton";

const LOADERS = {
  landing: () => import("../landing/Page"),
  watch: () => import("../watch/Page"),
  play: () => import("../play/Page"),
  study: () => import("../study/Page"),
};

const LandingPage = lazy(LOADERS.landing);
const WatchPage = lazy(LOADERS.watch);
const PlayPage = lazy(LOADERS.play);
const StudyPage = lazy(LOADERS.study);

const PRELOAD_AFTER_MS = 3_000;

export function Routes() {
  const [path] = useLocation();
  usePreloadedPages();
  return (
    <PageErrorBoundary path={path}>
      <Suspense fallback={<PageSkeleton />}>
        <Switch>
          <Route path="/" component={LandingPage} />
          <Route path="/watch/:run?/:replay?" component={WatchPage} />
          <Route path="/play" component={PlayPage} />
          <Route path="/analytics" component={StudyPage} />
          <Route path="/study" component={StudyPage} />
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </PageErrorBoundary>
  );
}

/** Fetches the other pages once the first is up, so that changing page works at once, also while the server is away. */
function usePreloadedPages(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      // A page that cannot be fetched now is fetched, and its failure shown, when it is opened.
      void Promise.allSettled(Object.values(LOADERS).map((load) => load()));
    }, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
