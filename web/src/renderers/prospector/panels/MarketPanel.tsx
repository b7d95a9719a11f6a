import { Tooltip, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { Sparkline } from "../../../shared/charts/Sparkline";
import { formatCount, formatPercent, formatWholePercent } from "../../../shared/format";
import { type ManifestSet, pictureUrl } from "../../manifests";
import type { PanelsProps } from "../../renderer";
import { amount, oneDecimal, whole } from "../format";
import { lastDocked, type MarketMemory, type PilotNote, priceCourse } from "../memory";
import { COMMODITIES, COMMODITY_TITLES, isDocked, type ProspectorState, quotesOf, type SaleQuote } from "../state";
import classes from "./Panels.module.css";

/** Credits; smaller moves of a price are none. */
const STEADY = 0.05;

interface Props extends Pick<PanelsProps, "onPick" | "isOpen"> {
  state: ProspectorState;
  notes: readonly PilotNote[];
  isWhole: boolean;
  manifests: ManifestSet;
}

/** Prices with their course, stock, and what sales bring; away from the station also what the market was on leaving. */
export function MarketPanel({ state, notes, isWhole, manifests, onPick, isOpen }: Props) {
  const docked = isDocked(state);
  const memory = docked ? null : lastDocked(notes);
  return (
    <section className={`case ${classes.panel}`} aria-label="Market" data-testid="market">
      <header className={classes.head}>
        <h2 className="overline">Market</h2>
        <span className={classes.where} data-docked={docked}>
          {whereWords(state)}
        </span>
      </header>
      <p className={classes.memory} data-testid="market-memory">
        {memoryWords(state, memory, isWhole)}
      </p>
      <div className={classes.columns} aria-hidden>
        <span>course</span>
        <span>price</span>
        <span>stock</span>
      </div>
      <ul className={classes.goods}>
        {COMMODITIES.map((key, commodity) => (
          <Good
            key={key}
            commodity={commodity}
            state={state}
            notes={notes}
            memory={memory}
            manifests={manifests}
            onPick={docked ? onPick : undefined}
            isOpen={isOpen}
          />
        ))}
      </ul>
    </section>
  );
}

function whereWords(state: ProspectorState): string {
  if (!isDocked(state)) {
    return "Heard from afar: sell at the station";
  }
  return state.sale_quotes === undefined ? "Docked" : "Docked: sales pay this now";
}

function memoryWords(state: ProspectorState, memory: MarketMemory | null, isWhole: boolean): string {
  if (isDocked(state)) {
    return state.sale_quotes === undefined
      ? "What sales bring was not recorded yet when this replay was made."
      : "Portions of a large sale lose less than all at once.";
  }
  if (memory === null) {
    return isWhole ? "The ship has not been docked yet." : "Reading what happened before …";
  }
  return `Last docked ${formatCount(state.time - memory.tick, "tick")} ago; small figures are from then.`;
}

interface GoodProps extends Omit<Props, "isWhole"> {
  commodity: number;
  memory: MarketMemory | null;
}

function Good({ commodity, state, notes, memory, manifests, onPick, isOpen }: GoodProps) {
  const key = COMMODITIES[commodity] ?? "";
  const title = COMMODITY_TITLES[commodity] ?? "";
  const color = manifests.graphics.colors[`commodity.${key}`] ?? "var(--dio-dim)";
  const price = state.market.price[commodity] ?? 0;
  const stock = state.market.inventory[commodity] ?? 0;
  const held = state.ship.cargo[commodity] ?? 0;
  const course = priceCourse(notes, commodity);
  const quotes = quotesOf(state).filter((quote) => quote.commodity === commodity);
  return (
    <li className={classes.good} data-good={key}>
      <span className={classes.name}>
        <i style={{ background: color }} aria-hidden />
        {title}
      </span>
      <Tooltip label={courseWords(course.prices, course.ticks)} openDelay={300}>
        <span className={classes.course}>
          <Sparkline values={course.prices} label={`${title}: price through the last ticks`} width={54} height={22} />
        </span>
      </Tooltip>
      <Tooltip label={`${oneDecimal(price)} credits for a unit of ${title.toLowerCase()}`} openDelay={300}>
        <span className={classes.figure} data-figure="price">
          <b>
            <Trend delta={state.market.delta[commodity] ?? 0} manifests={manifests} />
            {whole(price)}
          </b>
          {memory !== null && <small data-figure="price-then">{whole(memory.price[commodity] ?? 0)} then</small>}
        </span>
      </Tooltip>
      <Tooltip label={`${oneDecimal(stock)} units in stock at the station`} openDelay={300}>
        <span className={classes.figure} data-figure="stock">
          <span>{whole(stock)}</span>
          {memory !== null && <small data-figure="stock-then">{whole(memory.stock[commodity] ?? 0)} then</small>}
        </span>
      </Tooltip>
      {held > 0 && (
        <div className={classes.sales}>
          <Tooltip label={`${amount(held)} units of ${title.toLowerCase()} in the hold`} openDelay={300}>
            <span className={classes.held}>{amount(held)} held</span>
          </Tooltip>
          {quotes.map((quote) => (
            <Sale key={quote.percent} quote={quote} title={title} onPick={onPick} isOpen={isOpen} />
          ))}
        </div>
      )}
    </li>
  );
}

function courseWords(prices: readonly number[], ticks: number): string {
  return `Between ${whole(Math.min(...prices))} and ${whole(Math.max(...prices))} credits in the last ${formatCount(ticks, "tick")}`;
}

/** Which way the price went in the last step. */
function Trend({ delta, manifests }: { delta: number; manifests: ManifestSet }) {
  const [picture, words] =
    Math.abs(delta) < STEADY
      ? ["icon.market.flat", "steady"]
      : delta > 0
        ? ["icon.market.up", "rising"]
        : ["icon.market.down", "falling"];
  const url = pictureUrl(manifests, picture ?? "");
  return url === null ? null : <img src={url} alt={words} width={13} height={13} />;
}

/** What a sale of one size brings; a button where it can be made. */
function Sale({
  quote,
  title,
  onPick,
  isOpen,
}: { quote: SaleQuote; title: string } & Pick<Props, "onPick" | "isOpen">) {
  const action = `SELL_COMMODITY_${quote.commodity}_${quote.percent}PCT`;
  const canSell = onPick !== undefined && isOpen?.(action) === true;
  // Tenths matter only to small ones.
  const slippage = quote.slippage < 0.01 ? formatPercent(quote.slippage) : formatWholePercent(quote.slippage);
  const words = `${amount(quote.units)} units bring ${oneDecimal(quote.revenue)} credits, ${slippage} below the price`;
  const content = (
    <>
      <span>{quote.percent}%</span>
      <small>−{slippage}</small>
      <b data-quote={quote.percent}>{whole(quote.revenue)}</b>
    </>
  );
  return (
    <Tooltip label={canSell ? words : `At the station now: ${words}`} openDelay={300} multiline maw={240}>
      {canSell ? (
        <UnstyledButton className={classes.sale} onClick={() => onPick(action)}>
          {content}
          <VisuallyHidden>
            – sell {title.toLowerCase()}: {words}
          </VisuallyHidden>
        </UnstyledButton>
      ) : (
        <span className={classes.sale}>{content}</span>
      )}
    </Tooltip>
  );
}
