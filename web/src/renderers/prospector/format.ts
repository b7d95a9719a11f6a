const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const ONE = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const TWO = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function whole(value: number): string {
  return WHOLE.format(value);
}

export function oneDecimal(value: number): string {
  return ONE.format(value);
}

/** Returns an amount of goods: to a tenth, and to a hundredth where it is less than one. */
export function amount(units: number): string {
  return (units < 1 ? TWO : ONE).format(units);
}
