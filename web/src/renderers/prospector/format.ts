const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const ONE = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function whole(value: number): string {
  return WHOLE.format(value);
}

export function oneDecimal(value: number): string {
  return ONE.format(value);
}
