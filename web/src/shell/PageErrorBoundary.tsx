import { TriangleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { PageName } from "../shared/PageName";
import { StateMessage } from "../shared/states/StateMessage";

interface Props {
  path: string;
  children: ReactNode;
}

interface State {
  failure: Error | null;
}

/** Keeps the shell alive when a page throws, and offers to load it again. */
export class PageErrorBoundary extends Component<Props, State> {
  override state: State = { failure: null };

  static getDerivedStateFromError(failure: Error): State {
    return { failure };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.failure !== null && before.path !== this.props.path) {
      this.setState({ failure: null });
    }
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) {
      return this.props.children;
    }
    return (
      <>
        <PageName name="Error" />
        <StateMessage
          icon={TriangleAlert}
          tone="bad"
          title="This page stopped working"
          hint={failure.message}
          action={{ label: "Load it again", onClick: () => window.location.reload() }}
        />
      </>
    );
  }
}
