import { Compass } from "lucide-react";
import { PageName } from "../shared/PageName";
import { StateMessage } from "../shared/states/StateMessage";

export function NotFound() {
  return (
    <>
      <PageName name="Not found" />
      <StateMessage
        icon={Compass}
        title="No page at this address"
        hint="The worlds and the newest runs are on the first page."
        action={{ label: "Go to the first page", href: "/" }}
      />
    </>
  );
}
