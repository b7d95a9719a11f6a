import { Accordion, Badge, Text, TextInput, UnstyledButton } from "@mantine/core";
import { BellRing, CheckCheck, Search } from "lucide-react";
import { useMemo, useState } from "react";
import campaign from "../campaign.module.css";
import { groupOrders, type OrderGroup } from "../state/orderGroups";
import type { CampaignActions } from "../state/useCampaign";
import type { CampaignView } from "../state/view";
import { concernWords } from "../state/words";
import classes from "./OrdersPanel.module.css";

interface Props {
  view: CampaignView;
  actions: CampaignActions;
  selected: string | null;
}

const SHOWN_CONCERNS = 3;

/** What waits for the player today, and every order that may be given. */
export function OrdersPanel({ view, actions, selected }: Props) {
  const [wanted, setWanted] = useState("");
  const groups = useMemo(() => groupOrders(view, wanted, selected), [view, wanted, selected]);
  const [opened, setOpened] = useState<{ selected: string | null; keys: string[] } | null>(null);
  const keys = groups.map(({ key }) => key);
  // Choosing something on the map opens its orders, whatever was open before.
  const offered = keys.slice(0, keys[0] === "answers" ? 2 : 1);
  const open = wanted !== "" ? keys : opened?.selected === selected ? opened.keys : offered;
  return (
    <section className={`case ${classes.today}`} aria-label="Orders">
      <div className={campaign.panelHead}>
        <h2>Orders today</h2>
        {view.player !== null && (
          <div className={classes.left}>
            <Badge variant="light">{view.orders_left.fleet} to fleets left</Badge>
            <Badge variant="light" color="lamp">
              {view.orders_left.policy} of policy left
            </Badge>
          </div>
        )}
      </div>
      {view.concerns.length > 0 && (
        <ul className={classes.concerns} aria-label="Asks for your attention">
          {view.concerns.slice(0, SHOWN_CONCERNS).map((concern) => (
            <li key={concern.key}>
              <BellRing size={15} aria-hidden /> <span>{concernWords(concern.text)}</span>
            </li>
          ))}
          {view.concerns.length > SHOWN_CONCERNS && <li>and {view.concerns.length - SHOWN_CONCERNS} more</li>}
        </ul>
      )}
      {view.orders.length === 0 ? (
        <Text c="dimmed" size="sm" p="md">
          {whyNone(view)}
        </Text>
      ) : (
        <>
          <TextInput
            m="sm"
            mb="xs"
            placeholder="Find an order, such as narrows or corvette"
            aria-label="Find an order"
            leftSection={<Search size={15} aria-hidden />}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <div className={classes.orderGroups}>
            {groups.length === 0 && (
              <Text c="dimmed" size="sm" p="md">
                No order of today is like that.
              </Text>
            )}
            <Accordion
              multiple
              value={open}
              onChange={(now) => setOpened({ selected, keys: now })}
              variant="default"
              chevronPosition="left"
            >
              {groups.map((group) => (
                <Group key={group.key} group={group} actions={actions} isSelected={group.subject === selected} />
              ))}
            </Accordion>
          </div>
        </>
      )}
    </section>
  );
}

function whyNone(view: CampaignView): string {
  if (view.pending_battle !== null) {
    return "A battle waits; orders can be given when it is over.";
  }
  if (view.ending !== null) {
    return "The campaign is over.";
  }
  return view.player === null ? "Bots lead all sides; nobody gives orders." : "Nothing can be ordered today.";
}

interface GroupProps {
  group: OrderGroup;
  actions: CampaignActions;
  isSelected: boolean;
}

function Group({ group, actions, isSelected }: GroupProps) {
  return (
    <Accordion.Item value={group.key}>
      <Accordion.Control className={classes.groupTitle}>
        {group.title} <span className={classes.count}>{group.orders.length}</span>
        {isSelected && <CheckCheck size={14} aria-label="chosen on the map" className={classes.chosen} />}
      </Accordion.Control>
      <Accordion.Panel>
        <ul className={classes.orders}>
          {group.orders.map(({ order, text }) => (
            <li key={order.code}>
              <UnstyledButton
                className={classes.order}
                data-budget={order.budget}
                data-code={order.code}
                disabled={actions.isBusy}
                onClick={() => void actions.order(order.code)}
              >
                {text}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
